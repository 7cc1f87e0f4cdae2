import { Deferred } from './deferred.ts';
import type { RoomType } from '../../../protocol/room-entities.ts';
import type { LibraryMissingDevice, LibraryUser } from '../../../react/library/library-values.ts';
import type {
  LibraryInvitation,
  LibraryLocalParticipant,
  LibraryParticipant,
  LibraryRoom,
  LibraryRoomEvent,
  LibraryRoomList,
  LibraryRoomListener,
  LibraryRoomQuery,
  RoomLibrary,
} from '../../../react/library/room-library.ts';

/** An error of the library with its number. */
export class FakeRoomError extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`refused with ${code}`);
    this.code = code;
  }
}

/** A participant whose devices and media the test controls. */
export class FakeParticipant implements LibraryLocalParticipant {
  readonly participantId: string;
  readonly user: LibraryUser;
  readonly enteredAt = 0;
  state: 'entered' | 'connected' | 'exited' = 'connected';
  isAudioEnabled = true;
  isVideoEnabled = true;
  isScreenShareEnabled = false;
  missingDevices: readonly LibraryMissingDevice[] = [];
  /** The element that plays the participant. */
  view: HTMLMediaElement | null = null;
  stream: MediaStream | undefined;

  constructor(participantId: string, user: LibraryUser) {
    this.participantId = participantId;
    this.user = user;
  }

  setMediaView(element: HTMLMediaElement | null): Promise<void> {
    if (this.view !== null && element === null) this.view.srcObject = null;
    this.view = element;
    if (element !== null) element.srcObject = this.stream ?? null;
    return Promise.resolve();
  }

  /** Reports a change to the listeners of the room. */
  changed: (event: LibraryRoomEvent) => void = () => {};

  /** Changes the devices as the other user does. */
  setDevices({ audio, video }: { audio?: boolean; video?: boolean }): void {
    if (audio !== undefined) this.isAudioEnabled = audio;
    if (video !== undefined) this.isVideoEnabled = video;
    this.changed('remoteAudioSettingsChanged');
  }

  setState(state: FakeParticipant['state']): void {
    this.state = state;
    this.changed('remoteParticipantStreamStarted');
  }

  muteMicrophone(): void {
    this.isAudioEnabled = false;
  }

  unmuteMicrophone(): void {
    this.isAudioEnabled = true;
  }

  startVideo(): void {
    this.isVideoEnabled = true;
  }

  stopVideo(): void {
    this.isVideoEnabled = false;
  }

  /** Chooses the screen to share. Default: succeeds. */
  chooseScreen: () => Promise<void> = () => Promise.resolve();

  async startScreenShare(): Promise<void> {
    await this.chooseScreen();
    this.isScreenShareEnabled = true;
  }

  stopScreenShare(): void {
    this.isScreenShareEnabled = false;
  }
}

/** A room whose other participants and whose exchange the test controls. */
export class FakeRoom implements LibraryRoom {
  readonly roomId: string;
  readonly roomType: RoomType;
  readonly createdBy: string;
  createdAt = 0;
  state: 'open' | 'deleted' = 'open';
  customItems: Record<string, string> = {};
  localParticipant: FakeParticipant | undefined;
  remoteParticipants: FakeParticipant[] = [];
  /** The errors of the next requests, in order. */
  readonly errors: Error[] = [];
  readonly enteredWith: { audioEnabled: boolean; videoEnabled: boolean }[] = [];
  readonly invited: FakeInvitation[] = [];
  mixElement: HTMLAudioElement | null = null;
  /** The user of this client. */
  me: LibraryUser = { userId: 'me', nickname: '', profileUrl: '' };
  localStream: MediaStream | undefined;
  localMissing: readonly LibraryMissingDevice[] = [];
  readonly #sent = new Deferred<FakeInvitation>();
  readonly #listeners: [LibraryRoomEvent, LibraryRoomListener][] = [];

  constructor(roomId: string, roomType: RoomType, createdBy = 'me') {
    this.roomId = roomId;
    this.roomType = roomType;
    this.createdBy = createdBy;
  }

  get participants(): LibraryParticipant[] {
    return [...(this.localParticipant ? [this.localParticipant] : []), ...this.remoteParticipants];
  }

  /** The number of listeners, to find those that are left. */
  get listenerCount(): number {
    return this.#listeners.length;
  }

  /** Answers a request of this client. Default: succeeds unless `errors` has an error. */
  answer: () => Promise<void> = () => {
    const error = this.errors.shift();
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };

  async enter(params: { audioEnabled: boolean; videoEnabled: boolean }): Promise<void> {
    this.enteredWith.push(params);
    await this.answer();
    const local = new FakeParticipant('local', this.me);
    local.isAudioEnabled = params.audioEnabled;
    local.isVideoEnabled = params.videoEnabled;
    local.stream = this.localStream;
    local.missingDevices = this.localMissing;
    this.localParticipant = local;
  }

  exit(): void {
    if (this.localParticipant === undefined) throw new FakeRoomError(1_800_702);
    this.localParticipant = undefined;
  }

  setAudioForLargeRoom(element: HTMLAudioElement | null): void {
    this.mixElement = element;
  }

  async updateCustomItems(customItems: Record<string, string>): Promise<void> {
    await this.answer();
    this.customItems = { ...this.customItems, ...customItems };
  }

  async sendInvitation(invitee: string): Promise<FakeInvitation> {
    await this.answer();
    const invitation = new FakeInvitation(this, this.me, { userId: invitee, nickname: '', profileUrl: '' });
    this.invited.push(invitation);
    this.#sent.resolve(invitation);
    return invitation;
  }

  async delete(): Promise<void> {
    await this.answer();
    this.beDeleted();
  }

  on(event: LibraryRoomEvent, listener: LibraryRoomListener): void {
    this.#listeners.push([event, listener]);
  }

  off(event: LibraryRoomEvent, listener: LibraryRoomListener): void {
    const at = this.#listeners.findIndex(([name, known]) => name === event && known === listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  emit(event: LibraryRoomEvent, ...args: readonly unknown[]): void {
    for (const [name, listener] of [...this.#listeners]) {
      if (name === event) listener(...args);
    }
  }

  /** Refuses the next request with this number. */
  refuse(code: number): void {
    this.errors.push(new FakeRoomError(code));
  }

  /** Resolves to the first invitation that this client has sent. */
  firstInvitation(): Promise<FakeInvitation> {
    const [sent] = this.invited;
    return sent === undefined ? this.#sent.promise : Promise.resolve(sent);
  }

  /** Makes devices of this client unavailable. */
  missDevices(...missing: readonly LibraryMissingDevice[]): void {
    if (this.localParticipant !== undefined) this.localParticipant.missingDevices = missing;
    this.emit('localMissingDevicesChanged', this.localParticipant);
  }

  /** Lets another user enter. */
  join(user: LibraryUser, facts: Partial<FakeParticipant> = {}): FakeParticipant {
    const participant = Object.assign(new FakeParticipant(`p-${user.userId}`, user), facts);
    participant.changed = (event) => this.emit(event, participant);
    this.remoteParticipants = [...this.remoteParticipants, participant];
    this.emit('remoteParticipantEntered', participant);
    return participant;
  }

  /** Lets another user leave. */
  part(participant: FakeParticipant): void {
    participant.state = 'exited';
    this.remoteParticipants = this.remoteParticipants.filter((other) => other !== participant);
    this.emit('remoteParticipantExited', participant);
  }

  beDeleted(): void {
    this.state = 'deleted';
    this.localParticipant = undefined;
    this.emit('deleted');
  }

  /** Ends the stay of this client with the error of this number. */
  expel(code: number): void {
    this.localParticipant = undefined;
    this.emit('error', new FakeRoomError(code));
  }
}

/** An invitation that records its answer. */
export class FakeInvitation implements LibraryInvitation {
  answered: 'accepted' | 'declined' | 'canceled' | null = null;

  readonly room: FakeRoom;
  readonly inviter: LibraryUser;
  readonly invitee: LibraryUser;

  constructor(room: FakeRoom, inviter: LibraryUser, invitee: LibraryUser) {
    this.room = room;
    this.inviter = inviter;
    this.invitee = invitee;
  }

  accept = (): Promise<void> => this.#answer('accepted');
  decline = (): Promise<void> => this.#answer('declined');
  cancel = (): Promise<void> => this.#answer('canceled');

  async #answer(answer: 'accepted' | 'declined' | 'canceled'): Promise<void> {
    await this.room.answer();
    this.answered = answer;
  }
}

/** The rooms of an exchange without a network. */
export class FakeRooms implements RoomLibrary {
  readonly all = new Map<string, FakeRoom>();
  /** The errors of the next reads of rooms and lists, in order. */
  readonly errors: Error[] = [];
  /** Resolves before each read. A test can delay it. */
  gate: () => Promise<void> = () => Promise.resolve();
  readonly queries: LibraryRoomQuery[] = [];
  /** Changes a room of this client before the app gets it. */
  prepare: (room: FakeRoom) => void = () => {};

  add(roomId: string, roomType: RoomType, name = '', createdBy = 'mina'): FakeRoom {
    const room = new FakeRoom(roomId, roomType, createdBy);
    if (name !== '') room.customItems = { name };
    this.prepare(room);
    this.all.set(roomId, room);
    return room;
  }

  createRoom = async (params: { roomType: RoomType; customItems?: Record<string, string> }): Promise<FakeRoom> => {
    await this.#read();
    const room = this.add(`room-${this.all.size + 1}`, params.roomType, '', 'me');
    room.customItems = { ...params.customItems };
    return room;
  };

  fetchRoomById = async (roomId: string): Promise<FakeRoom> => {
    await this.#read();
    const room = this.all.get(roomId);
    if (room === undefined || room.state === 'deleted') throw new FakeRoomError(1_400_126);
    return room;
  };

  createRoomListQuery = (params: LibraryRoomQuery): LibraryRoomList => {
    this.queries.push(params);
    const read = this.#read;
    const matching = (): FakeRoom[] => [...this.all.values()].filter((room) => matches(room, params));
    const { limit = 10 } = params;
    let from = 0;
    return {
      get hasNext() {
        return from === 0 || from < matching().length;
      },
      async next() {
        await read();
        const page = matching().slice(from, from + limit);
        from += limit;
        return page;
      },
    };
  };

  readonly #read = async (): Promise<void> => {
    await this.gate();
    const error = this.errors.shift();
    if (error !== undefined) throw error;
  };
}

function matches(room: FakeRoom, { type, createdByUserIds, currentParticipantCount }: LibraryRoomQuery): boolean {
  const most = currentParticipantCount?.[1] ?? Infinity;
  return (
    room.state === 'open' &&
    (type === undefined || type === 'all' || room.roomType === type) &&
    (createdByUserIds?.includes(room.createdBy) ?? true) &&
    room.participants.length <= most
  );
}
