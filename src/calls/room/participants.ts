import type { Clock } from '../../common/clock.ts';
import type { ParticipantPayload } from '../../protocol/room-entities.ts';
import { User } from '../host/user.ts';
import type { MissingDevice } from '../media/local-media.ts';
import type { MediaElement } from '../platform/media-element.ts';
import type { LocalParticipant, Participant, RemoteParticipant } from './participant.ts';
import type { ParticipantState } from './room-enumerations.ts';

/** The facts of a participant at one moment. The getters are on the prototype, and the facts are private. */
abstract class RoomParticipant implements Participant {
  readonly #clock: Clock;
  #facts: ParticipantPayload;
  #user: User;
  /** When the facts arrived, by the monotonic clock. */
  #since: number;

  constructor(facts: ParticipantPayload, clock: Clock) {
    this.#clock = clock;
    this.#facts = facts;
    this.#user = new User(facts.user);
    this.#since = clock.now();
  }

  get participantId(): string {
    return this.#facts.participant_id;
  }

  get user(): User {
    return this.#user;
  }

  get state(): ParticipantState {
    return this.#facts.state;
  }

  get enteredAt(): number {
    return this.#facts.entered_at;
  }

  get updatedAt(): number {
    return this.#facts.updated_at;
  }

  get exitedAt(): number | null {
    return this.#facts.exited_at;
  }

  get duration(): number {
    const { duration, exited_at } = this.#facts;
    return exited_at === null ? duration + Math.floor((this.#clock.now() - this.#since) / 1_000) : duration;
  }

  get isAudioEnabled(): boolean {
    return this.#facts.is_audio_on;
  }

  get isVideoEnabled(): boolean {
    return this.#facts.is_video_on;
  }

  abstract get isLocalParticipant(): boolean;

  abstract setMediaView(element: HTMLMediaElement | null | undefined): Promise<void>;

  /** @internal Takes the newer facts of the exchange. */
  take(facts: ParticipantPayload): void {
    if (facts === this.#facts) return;
    // The same user stays the same object.
    if (facts.user !== this.#facts.user) this.#user = new User(facts.user);
    // The snapshot of a participant who is gone has its former duration.
    const ended = facts.exited_at !== null && facts.duration === this.#facts.duration;
    this.#facts = ended ? { ...facts, duration: this.duration } : facts;
    this.#since = this.#clock.now();
  }

  /** @internal Takes the end of the stay. @param wallTime - milliseconds since the epoch. */
  exited(wallTime: number): void {
    this.take({ ...this.#facts, state: 'exited', updated_at: wallTime, exited_at: wallTime });
  }

  /** @internal Returns the values for JSON, of which the prototype has the getters. */
  toJSON(): object {
    const { participantId, user, state, enteredAt, updatedAt, exitedAt, duration } = this;
    const { isAudioEnabled, isVideoEnabled, isLocalParticipant } = this;
    return {
      participantId,
      user,
      state,
      enteredAt,
      updatedAt,
      exitedAt,
      duration,
      isAudioEnabled,
      isVideoEnabled,
      isLocalParticipant,
    };
  }
}

/** Sets the view of a participant: now, or when its media begins. */
type SetView = (participantId: string, element: MediaElement | null) => Promise<void>;

/** Another client in the room. */
export class RemoteMember extends RoomParticipant implements RemoteParticipant {
  readonly #setView: SetView;

  constructor(facts: ParticipantPayload, clock: Clock, setView: SetView) {
    super(facts, clock);
    this.#setView = setView;
  }

  override get isLocalParticipant(): boolean {
    return false;
  }

  override setMediaView(element: HTMLMediaElement | null | undefined): Promise<void> {
    return this.#setView(this.participantId, element ?? null);
  }
}

/** What a host does with this client in the room. */
export interface LocalControls {
  readonly missing: () => readonly MissingDevice[];
  readonly isSharingScreen: () => boolean;
  /** Returns whether this client sends sound, as it last stated. Null after the exit. */
  readonly isAudioOn: () => boolean | null;
  /** Returns whether this client sends its picture. Null after the exit. */
  readonly isVideoOn: () => boolean | null;
  readonly setView: (element: MediaElement | null) => Promise<void>;
  /** @throws CallError `ERR_PARTICIPANT_NOT_IN_ROOM` after the exit. So do the next ones. */
  readonly setAudio: (isOn: boolean) => void;
  readonly setVideo: (isOn: boolean) => void;
  readonly startScreenShare: () => Promise<void>;
  readonly stopScreenShare: () => void;
}

/** This client in the room. */
export class LocalMember extends RoomParticipant implements LocalParticipant {
  readonly #controls: LocalControls;

  constructor(facts: ParticipantPayload, clock: Clock, controls: LocalControls) {
    super(facts, clock);
    this.#controls = controls;
  }

  override get isLocalParticipant(): boolean {
    return true;
  }

  override get isAudioEnabled(): boolean {
    return this.#controls.isAudioOn() ?? super.isAudioEnabled;
  }

  override get isVideoEnabled(): boolean {
    return this.#controls.isVideoOn() ?? super.isVideoEnabled;
  }

  get missingDevices(): readonly MissingDevice[] {
    return [...this.#controls.missing()];
  }

  get isScreenShareEnabled(): boolean {
    return this.#controls.isSharingScreen();
  }

  override setMediaView(element: HTMLMediaElement | null | undefined): Promise<void> {
    return this.#controls.setView(element ?? null);
  }

  setLocalMediaView(element: HTMLMediaElement | null | undefined): Promise<void> {
    return this.setMediaView(element);
  }

  muteMicrophone(): void {
    this.#controls.setAudio(false);
  }

  unmuteMicrophone(): void {
    this.#controls.setAudio(true);
  }

  startVideo(): void {
    this.#controls.setVideo(true);
  }

  stopVideo(): void {
    this.#controls.setVideo(false);
  }

  startScreenShare(): Promise<void> {
    return this.#controls.startScreenShare();
  }

  stopScreenShare(): void {
    this.#controls.stopScreenShare();
  }
}
