import type { Clock } from '../../common/clock.ts';
import type { RoomEventFrame } from '../../protocol/envelope.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import type { RoomReply } from '../../protocol/messages/rooms.ts';
import type { ParticipantPayload, RoomPayload } from '../../protocol/room-entities.ts';
import { asCallError } from '../host/call-host.ts';
import { isEmpty, optionalFlag, requireId, requireObject } from '../host/checks.ts';
import type { CustomItems, CustomItemsResult } from '../host/custom-items.ts';
import type { Logger } from '../logging/log.ts';
import type { LocalParticipant, Participant, RemoteParticipant } from './participant.ts';
import type { StartParticipationMedia } from './participation-media.ts';
import { RemoteMember, type LocalMember } from './participants.ts';
import { afterEvent, afterItems, afterSnapshot, type Changed, type RoomChange } from './room-changes.ts';
import { RoomCustomItems } from './room-custom-items.ts';
import type { RoomState, RoomType } from './room-enumerations.ts';
import type { EnterParams, Room, RoomEventMap, RoomInvitation, RoomListener } from './room.ts';
import { RoomListeners } from './room-listeners.ts';
import type { RoomRequests } from './room-requests.ts';
import { RoomSession, type Entering } from './room-session.ts';
import { RoomViews } from './room-views.ts';

export interface ClientRoomDeps {
  readonly requests: Pick<RoomRequests, 'request' | 'alive'>;
  readonly startMedia: StartParticipationMedia;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hasten: () => void;
  /** Replaces the channel, whose socket may have died. */
  readonly reconnect: () => void;
  /** Runs when the host enters the room, which the client may have forgotten. */
  readonly used: (room: ClientRoom) => void;
  /** Returns the invitation of an answer of the exchange. */
  readonly invitationOf: (reply: RoomReply<'invitation_send'>) => RoomInvitation;
}

/** An event that belongs to a room: every event, except those about an invitation. */
export type RoomEventOfRoom = Exclude<RoomEventFrame, { readonly type: `invitation_${string}` }>;

/** The most participants who have left that a room remembers. */
const GONE = 1_000;

/** The most reads in a row until a room has every event that arrived. The next keep-alive reads again. */
const READS = 3;

const EVENT_OF = {
  entered: 'remoteParticipantEntered',
  exited: 'remoteParticipantExited',
  audio: 'remoteAudioSettingsChanged',
  video: 'remoteVideoSettingsChanged',
} as const;

/** A room of this client. Its getters are on the prototype, and its state is private. */
export class ClientRoom implements Room {
  readonly #deps: ClientRoomDeps;
  readonly #listeners: RoomListeners;
  readonly #views: RoomViews;
  readonly #session: RoomSession;
  readonly #items: RoomCustomItems;
  readonly #remotes = new Map<string, RemoteMember>();
  /** The last participants who have left. A server that missed the exit may list them again. */
  readonly #gone = new Set<string>();
  #facts: RoomPayload;
  /** The highest number of an event that arrived. */
  #newest = 0;
  #reading: Promise<void> | null = null;

  constructor(facts: RoomPayload, deps: ClientRoomDeps) {
    this.#deps = deps;
    this.#facts = facts;
    this.#listeners = new RoomListeners(deps.log);
    this.#views = new RoomViews(deps.log);
    this.#items = new RoomCustomItems({
      roomId: facts.room_id,
      requests: { request: (type, payload) => this.#request(type, payload) },
      changed: (reply) => this.#commit(afterItems(this.#facts, reply, reply.updated, reply.deleted)),
    });
    for (const payload of facts.current_participants) this.#remoteOf(payload);
    this.#session = new RoomSession({
      ...deps,
      roomId: facts.room_id,
      roomType: facts.room_type,
      views: this.#views,
      events: {
        entered: (reply) => this.#entered(reply),
        left: (local) => this.#left(local),
        deleted: () => this.#deleted(),
        heard: (sequence) => this.#heard(sequence),
        streamStarted: (id) => this.#emitRemote('remoteParticipantStreamStarted', id),
        disconnected: () => this.#emitLocal('localParticipantDisconnected'),
        reconnected: () => this.#emitLocal('localParticipantReconnected'),
        missingChanged: () => this.#emitLocal('localMissingDevicesChanged'),
        screenShareStopped: () => this.#emitLocal('localScreenShareStopped'),
        pageReturned: () => deps.reconnect(),
        failed: (error, participantId) => this.#failed(error, participantId),
      },
    });
  }

  get roomId(): string {
    return this.#facts.room_id;
  }

  get roomType(): RoomType {
    return this.#facts.room_type;
  }

  get state(): RoomState {
    return this.#facts.state;
  }

  get createdAt(): number {
    return this.#facts.created_at;
  }

  get createdBy(): string {
    return this.#facts.created_by;
  }

  get customItems(): CustomItems {
    return { ...this.#facts.custom_items };
  }

  get participants(): Participant[] {
    const { local } = this.#session;
    return this.#facts.current_participants.flatMap(({ participant_id }) =>
      participant_id === local?.participantId ? local : (this.#remotes.get(participant_id) ?? []),
    );
  }

  get localParticipant(): LocalParticipant | undefined {
    return this.#session.local;
  }

  get remoteParticipants(): RemoteParticipant[] {
    return this.#facts.current_participants.flatMap(({ participant_id }) => this.#remotes.get(participant_id) ?? []);
  }

  async enter(params?: EnterParams | null): Promise<void> {
    const entered = this.#session.enter(this.#checkEnter(params));
    this.#deps.used(this);
    await entered;
  }

  exit(): void {
    this.#session.exit();
  }

  setAudioForLargeRoom(element: HTMLAudioElement | null | undefined): void {
    if (this.roomType !== 'large_room_for_audio_only') throw invalidValue('roomType');
    this.#views.setLargeRoomAudio(element ?? null);
  }

  updateCustomItems(customItems: CustomItems): Promise<CustomItemsResult> {
    return this.#items.update(customItems);
  }

  deleteCustomItems(keys: string[]): Promise<CustomItemsResult> {
    return this.#items.deleteKeys(keys);
  }

  deleteAllCustomItems(): Promise<CustomItemsResult> {
    return this.#items.delete();
  }

  fetchCustomItems(): Promise<CustomItems> {
    return this.#items.fetch();
  }

  async sendInvitation(invitee: string): Promise<RoomInvitation> {
    const invitee_id = requireId(invitee, 'invitee');
    const { roomId: room_id } = this;
    return this.#deps.invitationOf(await this.#request('invitation_send', { room_id, invitee_id }));
  }

  async delete(): Promise<void> {
    if (this.state === 'deleted') throw new CallError(ErrorCode.ERR_ROOM_DELETED);
    this.#session.requireStay();
    await this.#request('room_delete', { room_id: this.roomId });
    // Without a channel the event does not arrive.
    this.#session.deleted();
  }

  on<T extends keyof RoomEventMap>(event: T, listener: RoomListener<T>): this {
    this.#listeners.add(event, listener, false);
    return this;
  }

  once<T extends keyof RoomEventMap>(event: T, listener: RoomListener<T>): this {
    this.#listeners.add(event, listener, true);
    return this;
  }

  off<T extends keyof RoomEventMap>(event: T, listener: RoomListener<T>): this {
    this.#listeners.remove(event, listener);
    return this;
  }

  removeAllListeners(event?: keyof RoomEventMap): this {
    this.#listeners.removeAll(event);
    return this;
  }

  /** @internal Returns the values for JSON, of which the prototype has the getters. */
  toJSON(): object {
    const { roomId, roomType, state, createdAt, createdBy, customItems, participants } = this;
    return { roomId, roomType, state, createdAt, createdBy, customItems, participants };
  }

  /** @internal True while a session or a listener uses the room. */
  get isInUse(): boolean {
    return this.#session.isActive || !this.#listeners.isEmpty;
  }

  /** @internal True while this client is in the room. */
  get isEntered(): boolean {
    return this.#session.local !== undefined;
  }

  /** @internal Takes a room that the exchange sent. An older one changes nothing. */
  take(snapshot: RoomPayload): void {
    if (snapshot.state === 'deleted') return this.#session.deleted();
    const { local } = this.#session;
    const isOlder = snapshot.sequence_number < this.#facts.sequence_number;
    const own = snapshot.current_participants.find(({ participant_id }) => participant_id === local?.participantId);
    // Another server has continued the room, without the endpoints of its participants.
    const isMediaLost = local?.state === 'connected' && own?.state === 'entered';
    this.#commit(afterSnapshot(this.#facts, snapshot, this.#deps.clock.wallTime()));
    if (!local || isOlder) return;
    if (!own) this.#session.removed(local.participantId, 'connectionLost');
    if (isMediaLost) this.#session.mediaLost();
  }

  /** @internal Handles an event of the room. */
  receive(frame: RoomEventOfRoom): void {
    if (frame.type === 'room_deleted') return this.#session.deleted();
    this.#newest = Math.max(this.#newest, frame.sequence_number);
    const { local } = this.#session;
    // Outside the room no event is applied: the reply to the enter has the room.
    if (!local || frame.sequence_number <= this.#facts.sequence_number) return;
    if (frame.sequence_number > this.#facts.sequence_number + 1) void this.readAgain();
    else {
      const { room, changes } = afterEvent(this.#facts, frame);
      this.#commit({ room: { ...room, sequence_number: frame.sequence_number }, changes });
    }
    // The end of this client counts also after a lost event. A room that is read again has no reason of an end.
    const isOver = frame.type === 'participant_exited' || frame.type === 'participant_disconnected';
    if (!isOver) return;
    const isKicked = frame.type === 'participant_disconnected' && frame.payload.reason === 'sibling_kicked';
    this.#session.removed(frame.payload.participant.participant_id, isKicked ? 'kicked' : 'connectionLost');
  }

  /** @internal Reads the room from the exchange until it has every event that arrived. Never rejects. */
  readAgain(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** @internal Runs the listeners about an invitation. */
  invitation(event: `invitation${'Accepted' | 'Declined' | 'Canceled'}`, invitation: RoomInvitation): void {
    this.#listeners.emit(event, invitation);
  }

  /** @internal Leaves the room when the user signs out. */
  signedOut(): void {
    this.#session.signedOut();
  }

  /** @internal Ends the session of a room that the exchange has deleted. */
  wasDeleted(): void {
    this.#session.deleted();
  }

  #checkEnter(params: EnterParams | null | undefined): Entering {
    const given: EnterParams = isEmpty(params) ? {} : requireObject(params, 'params');
    const hasVideo = this.roomType.endsWith('_for_video');
    return {
      audioEnabled: optionalFlag(given.audioEnabled, 'audioEnabled', true),
      videoEnabled: optionalFlag(given.videoEnabled, 'videoEnabled', true) && hasVideo,
      kickSiblings: optionalFlag(given.kickSiblings, 'kickSiblings', false),
    };
  }

  /** Sends a command about this room. A refusal may state that the room was deleted. */
  #request: ClientRoomDeps['requests']['request'] = async (type, payload) => {
    try {
      return await this.#deps.requests.request(type, payload);
    } catch (error) {
      if (error instanceof CallError && error.code === ErrorCode.ERR_ROOM_DELETED) this.#session.deleted();
      throw asCallError(error);
    }
  };

  async #read(): Promise<void> {
    try {
      for (let read = 0; read < READS; read += 1) {
        const { room } = await this.#request('room_get', { room_id: this.roomId });
        this.take(room);
        if (this.#newest <= this.#facts.sequence_number) return;
      }
    } catch (error) {
      this.#deps.log.debug('a room was not read again', { error });
    }
  }

  #heard(sequence: number): void {
    if (sequence > this.#facts.sequence_number) void this.readAgain();
  }

  #entered({ room, me }: RoomReply<'room_enter'>): void {
    const at = this.#deps.clock.wallTime();
    // The reply is the room of this stay, also after an exchange began to count anew.
    const { room: entered } = afterSnapshot({ ...this.#facts, sequence_number: 0 }, room, at);
    this.#commit({ room: entered, changes: [] });
    this.#remotes.delete(me.participant_id);
    if (this.#newest > room.sequence_number) void this.readAgain();
  }

  #left(local: LocalMember): void {
    local.exited(this.#deps.clock.wallTime());
    const current_participants = this.#facts.current_participants.filter(
      ({ participant_id }) => participant_id !== local.participantId,
    );
    this.#commit({ room: { ...this.#facts, current_participants }, changes: [] });
  }

  #deleted(): void {
    this.#commit({ room: { ...this.#facts, state: 'deleted', current_participants: [] }, changes: [] });
    this.#listeners.emit('deleted');
  }

  #failed(error: CallError, participantId: string | undefined): void {
    if (participantId === undefined) this.#listeners.emit('error', error);
    else this.#listeners.emit('error', error, this.#remotes.get(participantId));
  }

  /** Takes the new values of the room, and then runs the listeners of its changes. A leave is final. */
  #commit({ room: given, changes: all }: Changed): void {
    if (given === this.#facts) return;
    const isGone = ({ participant_id }: ParticipantPayload) => this.#gone.has(participant_id);
    const room = { ...given, current_participants: given.current_participants.filter((one) => !isGone(one)) };
    const changes = all.filter((change) => 'keys' in change || !isGone(change.participant));
    this.#facts = room;
    const local = this.#session.local;
    for (const payload of room.current_participants) {
      if (payload.participant_id === local?.participantId) local.take(payload);
      else this.#remoteOf(payload).take(payload);
    }
    const told = changes.map((change) => this.#toldOf(change, local));
    for (const id of this.#remotes.keys()) {
      if (room.current_participants.some(({ participant_id }) => participant_id === id)) continue;
      this.#remotes.delete(id);
      this.#views.forget(id);
      this.#gone.add(id);
    }
    for (const oldest of this.#gone) {
      if (this.#gone.size <= GONE) break;
      this.#gone.delete(oldest);
    }
    this.#follow();
    // A listener may leave the room.
    for (const tell of told) if (local && this.#session.local === local) tell();
  }

  /** Returns the function that runs the listeners of a change. The participant has its new state by then. */
  #toldOf(change: RoomChange, local: LocalMember | undefined): () => void {
    if ('keys' in change) {
      const event = change.what === 'itemsUpdated' ? 'customItemsUpdated' : 'customItemsDeleted';
      return () => this.#listeners.emit(event, this.customItems, [...change.keys]);
    }
    const { what, participant } = change;
    if (what === 'connected' || participant.participant_id === local?.participantId) return () => undefined;
    const remote = this.#remoteOf(participant);
    remote.take(participant);
    return () => this.#listeners.emit(EVENT_OF[what], remote);
  }

  #remoteOf(payload: RoomPayload['current_participants'][number]): RemoteMember {
    const known = this.#remotes.get(payload.participant_id);
    if (known) return known;
    const made = new RemoteMember(payload, this.#deps.clock, (participantId, element) =>
      this.#remotes.has(participantId) || element === null
        ? this.#views.setRemote(participantId, element)
        : Promise.resolve(),
    );
    this.#remotes.set(payload.participant_id, made);
    return made;
  }

  #follow(): void {
    this.#session.follow(
      this.remoteParticipants.map(({ participantId, state }) => ({
        participantId,
        isConnected: state === 'connected',
      })),
    );
  }

  #emitRemote(event: 'remoteParticipantStreamStarted', participantId: string): void {
    const remote = this.#remotes.get(participantId);
    if (remote) this.#listeners.emit(event, remote);
  }

  #emitLocal(
    event:
      | 'localParticipantDisconnected'
      | 'localParticipantReconnected'
      | 'localMissingDevicesChanged'
      | 'localScreenShareStopped',
  ): void {
    const { local } = this.#session;
    if (local) this.#listeners.emit(event, local);
  }
}
