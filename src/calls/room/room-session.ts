import type { Clock } from '../../common/clock.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { ROOM_LIMITS, ROOM_TIMES } from '../../protocol/limits.ts';
import type { RoomReply } from '../../protocol/messages/rooms.ts';
import { OWN_PARTICIPANT, type ParticipantPayload, type RoomType } from '../../protocol/room-entities.ts';
import { asCallError } from '../host/call-host.ts';
import type { Logger } from '../logging/log.ts';
import { MachineDriver } from '../machine/machine-driver.ts';
import type {
  MediaSource,
  ParticipationMedia,
  ParticipationMediaEvents,
  StartParticipationMedia,
} from './participation-media.ts';
import { LocalMember } from './participants.ts';
import type { RoomRequests } from './room-requests.ts';
import {
  ROOM_SESSION_MACHINE,
  type RoomSessionEffect,
  type RoomSessionEvent,
  type RoomSessionRole,
  type RoomSessionRow,
  type RoomSessionState,
  type RoomSessionTimer,
} from './room-table.ts';
import type { RoomViews } from './room-views.ts';
import { SwitchReport } from './switch-report.ts';

/** How this client enters, checked. */
export interface Entering {
  readonly audioEnabled: boolean;
  readonly videoEnabled: boolean;
  readonly kickSiblings: boolean;
}

/** What the session reports to its room. */
export interface SessionEvents extends Omit<ParticipationMediaEvents, 'videoSent' | 'pageLeft'> {
  /** This client is in the room, whose values are these. */
  entered(reply: RoomReply<'room_enter'>): void;
  /** This client is in the room no more. */
  left(local: LocalMember): void;
  deleted(): void;
  /** The number of the last event of the room at the exchange. */
  heard(sequence: number): void;
}

export interface RoomSessionDeps {
  readonly roomId: string;
  readonly roomType: RoomType;
  readonly requests: Pick<RoomRequests, 'request' | 'alive'>;
  readonly startMedia: StartParticipationMedia;
  readonly views: RoomViews;
  readonly clock: Clock;
  readonly log: Logger;
  /** Opens a waiting channel now, since the events of the room arrive on it. */
  readonly hasten: () => void;
  readonly events: SessionEvents;
}

/** The enter under way. */
interface Entry {
  readonly how: Entering;
  readonly resolve: () => void;
  readonly reject: (error: CallError) => void;
}

/** One stay of this client in the room. */
interface Stay {
  readonly participantId: string;
  readonly local: LocalMember;
  readonly audio: SwitchReport;
  readonly video: SwitchReport;
  media: ParticipationMedia | null;
  /** The keep-alives in a row that failed. */
  failures: number;
}

/** Ignores a refusal that states that the participant has left. @throws any other error. */
function unlessGone(error: unknown): void {
  if (!(error instanceof CallError) || error.code !== ErrorCode.ERR_INVALID_ROOM_PARTICIPANT) throw error;
}

const notInRoom = () => new CallError(ErrorCode.ERR_PARTICIPANT_NOT_IN_ROOM);

/** The session of this client in one room (§4): it drives {@link ROOM_SESSION_MACHINE}, and owns the media of each stay. */
export class RoomSession {
  readonly #deps: RoomSessionDeps;
  readonly #machine: MachineDriver<
    RoomSessionState,
    RoomSessionEvent,
    RoomSessionEffect,
    RoomSessionTimer,
    RoomSessionRole,
    RoomSessionRow
  >;
  #entry: Entry | null = null;
  #stay: Stay | null = null;
  #sources: readonly MediaSource[] = [];
  /** The participant whose exit is reported: that of the last stay, or of the enter under way. */
  #leaving = '';
  #exit: Promise<void> = Promise.resolve();

  constructor(deps: RoomSessionDeps) {
    this.#deps = deps;
    const { clock, log } = deps;
    const effects: Readonly<Record<RoomSessionEffect, () => void>> = {
      requestEnter: () => void this.#requestEnter(),
      startMedia: () => this.#startMedia(),
      endSession: () => this.#end(),
      requestExit: () => void this.#requestExit(),
      sendAlive: () => void this.#sendAlive(),
      notifyDeleted: () => deps.events.deleted(),
      notifyKicked: () => deps.events.failed(new CallError(ErrorCode.ERR_LOCAL_PARTICIPANT_KICKED_OUT)),
      notifyLost: () => deps.events.failed(new CallError(ErrorCode.ERR_LOCAL_PARTICIPANT_LOST_CONNECTION)),
    };
    this.#machine = new MachineDriver(ROOM_SESSION_MACHINE, 'participant', clock, {
      perform: (effect) => effects[effect](),
      moved: (from, to) => log.info('room session', { from, to }),
      refused: (state, event, reason) => log.error(`room session: ${event} in ${state}: ${reason}`),
      failed: (effect, error) => log.error(`room session: ${effect} failed`, { error }),
      duration: () => ROOM_TIMES.roomAliveIntervalMs,
    });
  }

  get state(): RoomSessionState {
    return this.#machine.state;
  }

  /** True while the room is in use: its session is not idle. */
  get isActive(): boolean {
    return this.#entry !== null || ['entering', 'entered', 'exiting'].includes(this.state);
  }

  /** This client. Undefined outside the room. */
  get local(): LocalMember | undefined {
    return this.#stay?.local;
  }

  /** Enters the room. Rejects as `Room.enter` states. */
  enter(how: Entering): Promise<void> {
    const { state } = this;
    if (state === 'deleted') return Promise.reject(new CallError(ErrorCode.ERR_ROOM_DELETED));
    if (state === 'entered') return Promise.reject(new CallError(ErrorCode.ERR_PARTICIPANT_ALREADY_IN_ROOM));
    if (this.#entry) return Promise.reject(new CallError(ErrorCode.ERR_ENTERING_ROOM_STILL_IN_PROGRESS));
    return new Promise((resolve, reject) => {
      this.#entry = { how, resolve, reject };
      this.#machine.raise('enterRequested');
    });
  }

  /** Leaves the room at once. @throws CallError as `Room.exit` states. */
  exit(): void {
    if (this.state === 'exiting' && !this.#entry) throw new CallError(ErrorCode.ERR_EXITING_ROOM_STILL_IN_PROGRESS);
    if (!this.#stay) throw notInRoom();
    this.#machine.raise('exitRequested');
  }

  /** @throws CallError `ERR_PARTICIPANT_NOT_IN_ROOM` outside the room. */
  requireStay(): void {
    if (!this.#stay) throw notInRoom();
  }

  /** Ends the session of a room that the exchange deleted. */
  deleted(): void {
    if (this.state === 'deleted') return;
    this.#abandon(new CallError(ErrorCode.ERR_ROOM_DELETED));
    this.#machine.raise('roomDeleted');
  }

  /** Ends the stay after the exchange removed this participant. */
  removed(participantId: string, how: 'kicked' | 'connectionLost'): void {
    if (this.#stay?.participantId === participantId) this.#machine.raise(how);
  }

  /** Connects the media of this client again: the exchange has lost it. */
  mediaLost(): void {
    this.#stay?.media?.connectAgain();
  }

  /** Leaves the room when the user signs out. */
  signedOut(): void {
    this.#abandon(new CallError(ErrorCode.USER_NOT_AUTHENTICATED));
    this.#machine.raise('signedOut');
  }

  /** Receives the media of these participants. */
  follow(sources: readonly MediaSource[]): void {
    this.#sources = sources;
    this.#stay?.media?.follow(sources);
  }

  /** Rejects the promise of an enter that is not wanted any more. */
  #abandon(error: CallError): void {
    const entry = this.#entry;
    this.#entry = null;
    entry?.reject(error);
  }

  async #requestEnter(): Promise<void> {
    const entry = this.#entry;
    if (!entry) return;
    const isWanted = () => this.#entry === entry;
    try {
      // A participant who entered before its exit was answered would be that of the exit.
      await this.#exit;
      if (!isWanted()) return;
      this.#deps.hasten();
      this.#leaving = OWN_PARTICIPANT;
      const reply = await this.#entered(entry.how);
      if (!isWanted()) return;
      this.#entry = null;
      this.#begin(reply);
      this.#machine.raise('enterSucceeded');
      entry.resolve();
    } catch (error) {
      if (!isWanted()) return;
      const refusal = asCallError(error);
      if (refusal.code === ErrorCode.ERR_ROOM_DELETED) return this.deleted();
      this.#entry = null;
      this.#machine.raise('enterFailed');
      entry.reject(refusal);
    }
  }

  /**
   * Enters, and resolves to the reply. After a lost reply, or an end that only this client saw, the exchange still has a
   * participant of this client: it leaves first.
   */
  async #entered(how: Entering): Promise<RoomReply<'room_enter'>> {
    const { requests, roomId: room_id } = this.#deps;
    const enter = () =>
      requests.request('room_enter', {
        room_id,
        is_audio_on: how.audioEnabled,
        is_video_on: how.videoEnabled,
        kick_siblings: how.kickSiblings,
      });
    try {
      return await enter();
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== ErrorCode.ERR_CLIENT_ALREADY_ENTERED) throw error;
      await requests.request('room_exit', { room_id, participant_id: OWN_PARTICIPANT }).catch(unlessGone);
      return enter();
    }
  }

  #begin(reply: RoomReply<'room_enter'>): void {
    const { participant_id, is_audio_on, is_video_on } = reply.me;
    const switched = (type: 'room_audio' | 'room_video') => async (on: boolean) => {
      const { requests, roomId: room_id, log } = this.#deps;
      const sent = requests.request(type, { room_id, participant_id, on });
      sent.catch((error: unknown) => log.debug(`${type} was not sent`, { error }));
      await sent;
    };
    this.#stay = {
      participantId: participant_id,
      local: this.#localMember(reply.me),
      audio: new SwitchReport(is_audio_on, switched('room_audio')),
      video: new SwitchReport(is_video_on, switched('room_video')),
      media: null,
      failures: 0,
    };
    this.#deps.events.entered(reply);
  }

  #localMember(me: ParticipantPayload): LocalMember {
    const { views, clock, roomType } = this.#deps;
    const mine = () => (this.#stay?.participantId === me.participant_id ? this.#stay : null);
    const stay = () => {
      const present = mine();
      if (!present) throw notInRoom();
      return present;
    };
    const hasVideo = roomType.endsWith('_for_video');
    return new LocalMember(me, clock, {
      missing: () => mine()?.media?.missing ?? [],
      isSharingScreen: () => mine()?.media?.isSharingScreen ?? false,
      isAudioOn: () => mine()?.audio.isOn ?? null,
      isVideoOn: () => mine()?.video.isOn ?? null,
      // The participant of a former stay leaves the view of the present one alone.
      setView: (element) => (this.#stay && !mine() ? Promise.resolve() : views.setLocal(element)),
      setAudio: (isOn) => {
        const { media, audio } = stay();
        media?.setAudioEnabled(isOn);
        audio.set(isOn);
      },
      setVideo: (isOn) => {
        const { media, video } = stay();
        if (!hasVideo) return;
        media?.setVideoEnabled(isOn);
        // The others see the screen, also without the camera.
        video.set(isOn || media?.isSharingScreen === true);
      },
      startScreenShare: async () => {
        const { media } = stay();
        if (!hasVideo) throw new CallError(ErrorCode.ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL);
        await media?.startScreenShare();
      },
      stopScreenShare: () => {
        const { media } = stay();
        if (!media?.isSharingScreen) throw new CallError(ErrorCode.ERR_NO_SCREEN_SHARE_EXISTS);
        media.stopScreenShare();
      },
    });
  }

  #startMedia(): void {
    const stay = this.#stay;
    if (!stay) return;
    const { roomId: room_id, roomType, requests, startMedia, views, events } = this.#deps;
    const { participantId: participant_id, audio, video } = stay;
    stay.media = startMedia({
      roomType,
      audioEnabled: audio.isOn,
      videoEnabled: video.isOn,
      requests: {
        // The fields and the ids of the stay are the payload of the command.
        request: (type, fields) => requests.request(type, { ...fields, room_id, participant_id } as never),
      },
      events: this.#eventsOf(stay, events),
      views: { local: views.local, largeRoomAudio: views.largeRoomAudio },
    });
    views.use(stay.media);
    stay.media.follow(this.#sources);
  }

  /** Returns the reports of the media of a stay. Those after its end are dropped. */
  #eventsOf(stay: Stay, events: SessionEvents): ParticipationMediaEvents {
    const during =
      <Args extends unknown[]>(report: (...args: Args) => void) =>
      (...args: Args) => {
        if (this.#stay === stay) report(...args);
      };
    return {
      streamStarted: during((participantId: string) => events.streamStarted(participantId)),
      disconnected: during(() => events.disconnected()),
      reconnected: during(() => events.reconnected()),
      missingChanged: during(() => events.missingChanged()),
      screenShareStopped: during(() => events.screenShareStopped()),
      pageReturned: during(() => events.pageReturned()),
      // Without this exit, the others see the participant until the exchange misses its keep-alives.
      pageLeft: during(() => this.exit()),
      videoSent: during((isOn: boolean) => stay.video.set(isOn)),
      failed: during((error: CallError, participantId?: string) => events.failed(error, participantId)),
    };
  }

  #end(): void {
    const stay = this.#stay;
    if (!stay) return;
    this.#stay = null;
    this.#leaving = stay.participantId;
    stay.audio.close();
    stay.video.close();
    this.#deps.views.use(null);
    stay.media?.close();
    this.#deps.events.left(stay.local);
  }

  async #requestExit(): Promise<void> {
    const { requests, roomId: room_id, log } = this.#deps;
    const exit = requests.request('room_exit', { room_id, participant_id: this.#leaving });
    this.#exit = exit.then(
      () => undefined,
      // The exchange ends the stay of a silent participant.
      (error: unknown) => log.debug('room_exit was not sent', { error }),
    );
    await this.#exit;
    this.#machine.raise('exitSettled');
  }

  async #sendAlive(): Promise<void> {
    const stay = this.#stay;
    if (!stay) return;
    const { requests, roomId: room_id, events, log } = this.#deps;
    try {
      const { sequence_number } = await requests.alive({ room_id, participant_id: stay.participantId });
      if (this.#stay !== stay) return;
      stay.failures = 0;
      void stay.audio.again();
      void stay.video.again();
      events.heard(sequence_number);
    } catch (error) {
      if (this.#stay !== stay) return;
      log.debug('the keep-alive of a room failed', { error });
      const code = error instanceof CallError ? error.code : 0;
      stay.failures += 1;
      if (code === ErrorCode.ERR_ROOM_DELETED) this.deleted();
      else if (code === ErrorCode.ERR_INVALID_ROOM_PARTICIPANT || stay.failures >= ROOM_LIMITS.roomAliveFailures) {
        this.removed(stay.participantId, 'connectionLost');
      }
    }
  }
}
