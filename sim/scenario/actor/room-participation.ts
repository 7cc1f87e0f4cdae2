/** A room of a user at one device: its values, the elements that show its participants, and its events. */
import type { LocalParticipant, Participant } from '../../../src/calls/room/participant.ts';
import type { Room, RoomInvitation } from '../../../src/calls/room/room.ts';
import type { CallError } from '../../../src/protocol/errors.ts';
import { ROOM_LISTENERS } from '../format/paths.ts';
import { ActionImpossible } from '../run/world.ts';
import type { ObservableDevice } from './observable-device.ts';
import type { Participation } from './participations.ts';
import type { MediaMeter, Presenter, ReceivedMedia } from './received-media.ts';

/** The parts of a device that show the participants of a room. */
export type RoomScreen = Pick<ObservableDevice, 'connectionReceiving' | 'createElement' | 'ownElements' | 'stateOf'>;

export interface RoomParticipationOptions {
  readonly room: Room;
  readonly screen: RoomScreen;
  /** Measures the received media of each connection, if the world supports it. */
  readonly media: MediaMeter | undefined;
  /** Called for each event of the room, by its name, and with the id of the remote participant it is about. */
  readonly noticed: (name: string, about?: string) => void;
  /** Called for an error of the room. */
  readonly failed: (error: CallError) => void;
  /** Called when an invitation was answered or canceled. */
  readonly settled: (invitation: RoomInvitation) => void;
}

/** A room that a user created, read, entered or was invited into. */
export class RoomParticipation implements Participation {
  readonly area = 'room';
  readonly connection = null;
  readonly room: Room;
  readonly #screen: RoomScreen;
  readonly #media: MediaMeter | undefined;
  /** The participant of this device, also after its exit. Undefined before the first entry. */
  #me: LocalParticipant | undefined;
  /** The elements that show the other participants, by participant id. */
  readonly #views = new Map<string, HTMLMediaElement>();
  /** The element of this device's camera. */
  readonly #ownView: HTMLMediaElement;
  #mix: HTMLAudioElement | undefined;

  constructor({ room, screen, media, noticed, failed, settled }: RoomParticipationOptions) {
    this.room = room;
    this.#screen = screen;
    this.#media = media;
    this.#ownView = screen.createElement('video');
    room.on('remoteParticipantEntered', (one) => this.#show(one));
    room.on('remoteParticipantExited', ({ participantId }) => this.#views.delete(participantId));
    room.on('error', failed);
    for (const name of ['invitationAccepted', 'invitationDeclined', 'invitationCanceled'] as const)
      room.on(name, settled);
    for (const name of ROOM_LISTENERS) {
      room.on(name, (...args: readonly unknown[]) =>
        noticed(name, name.startsWith('remote') ? (args[0] as Participant).participantId : undefined),
      );
    }
  }

  /** This device in the room, also after its exit. @throws ActionImpossible before the first entry. */
  get controls(): LocalParticipant {
    const me = this.room.localParticipant ?? this.#me;
    if (!me) throw new ActionImpossible('this user has not entered the room');
    return me;
  }

  get items(): Room {
    return this.room;
  }

  /** Shows the participants of the entered room, as hosts do: pictures in video rooms, sound in every room. */
  entered(): void {
    this.#me = this.room.localParticipant;
    void this.#me?.setMediaView(this.#ownView);
    for (const one of this.room.remoteParticipants) this.#show(one);
    if (this.room.roomType === 'large_room_for_audio_only' && !this.#mix) this.setMix(true);
  }

  /** Shows the participants of a user in another kind of element, or in none. Returns how many there are. */
  view(userId: string, kind: 'audio' | 'video' | 'none'): number {
    const shown = this.room.remoteParticipants.filter(({ user }) => user.userId === userId);
    for (const one of shown) this.#show(one, kind);
    return shown.length;
  }

  /** Plays the mix of a large audio room, or stops it. */
  setMix(isOn: boolean): void {
    this.#mix = isOn ? this.#screen.createElement('audio') : undefined;
    this.room.setAudioForLargeRoom(this.#mix ?? null);
  }

  read(what: string): unknown {
    const { room } = this;
    const me = room.localParticipant;
    switch (what) {
      case 'state':
        return room.state;
      case 'session':
        return this.#screen.stateOf('room') ?? 'idle';
      case 'entered':
        return me !== undefined;
      case 'id':
        return room.roomId;
      case 'type':
        return room.roomType;
      case 'me':
        return me?.state ?? 'none';
      case 'participants':
        return room.participants.map(userOf);
      case 'remotes':
        return room.remoteParticipants.map(userOf);
      case 'connected':
        return room.participants.filter(({ state }) => state === 'connected').length;
      case 'localAudio':
        return me?.isAudioEnabled;
      case 'localVideo':
        return me?.isVideoEnabled;
      case 'remoteAudio':
        return this.#ofRemotes(({ isAudioEnabled }) => isAudioEnabled);
      case 'remoteVideo':
        return this.#ofRemotes(({ isVideoEnabled }) => isVideoEnabled);
      case 'states':
        return this.#ofRemotes(({ state }) => state);
      case 'heard':
        return this.#heard();
      case 'seen':
        return this.#seen();
      case 'sharing':
        return me?.isScreenShareEnabled ?? false;
      case 'height':
        return this.#cameraHeight();
      case 'missing':
        return me ? me.missingDevices.map(({ kind }) => kind) : [];
      case 'items':
        return { ...room.customItems };
      default:
        return undefined;
    }
  }

  #show(one: Participant, kind: 'audio' | 'video' | 'none' = this.#usualKind()): void {
    this.#views.delete(one.participantId);
    const element = kind === 'none' ? null : this.#screen.createElement(kind);
    if (element) this.#views.set(one.participantId, element);
    void one.setMediaView(element);
  }

  #usualKind(): 'audio' | 'video' {
    return /video/.test(this.room.roomType) ? 'video' : 'audio';
  }

  /** Returns a value of each other participant, by user id. A second participant of a user is `bob 2`. */
  #ofRemotes<T>(value: (one: Participant) => T): Record<string, T> {
    const entries: Record<string, T> = {};
    for (const one of this.room.remoteParticipants) {
      const { userId } = one.user;
      const others = Object.keys(entries).filter((key) => key === userId || key.startsWith(`${userId} `)).length;
      entries[others === 0 ? userId : `${userId} ${others + 1}`] = value(one);
    }
    return entries;
  }

  /** Returns the devices whose sound this device plays. */
  #heard(): string[] {
    const elements = [...this.#views.values(), ...(this.#mix ? [this.#mix] : []), ...this.#screen.ownElements];
    return sorted(elements.flatMap((element) => this.#arriving(element, 'audio')?.heard ?? []));
  }

  /** Returns the devices whose moving pictures this device shows, or their users if pictures do not tell devices. */
  #seen(): string[] {
    const shown = this.room.remoteParticipants.flatMap(({ participantId, user }) => {
      const element = this.#views.get(participantId);
      const media = element && this.#arriving(element, 'video');
      return media ? (media.seen ?? (media.marker === 'advancing' ? [user.userId] : [])) : [];
    });
    return sorted(shown);
  }

  /** Measures the media of one kind that an element presents. Undefined without any. */
  #arriving(element: Presenter, kind: 'audio' | 'video'): ReceivedMedia | undefined {
    const stream = element.srcObject as MediaStream | null;
    const track = stream?.getTracks().find((one) => one.kind === kind && one.readyState === 'live');
    const connection = track && this.#screen.connectionReceiving(track);
    return connection && this.#media?.(connection, element);
  }

  #cameraHeight(): number {
    const stream = this.#ownView.srcObject as MediaStream | null;
    return stream?.getVideoTracks()[0]?.getSettings().height ?? 0;
  }
}

const sorted = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

const userOf = ({ user }: Participant): string => user.userId;
