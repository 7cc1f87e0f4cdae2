/** Runs a stay in a room: publishes the test signal, measures each participant, and reports at the end. */
import type { Room } from '../../../src/calls/room/room.ts';
import type { RemoteParticipant } from '../../../src/calls/room/participant.ts';
import { type CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { MediaStates } from '../media-account.ts';
import type { CallReport } from '../messages.ts';
import { createWrtcPlatform, type HeadlessPlatform } from '../platform/wrtc-platform.ts';
import { roomFailureOf } from '../../rooms/room-failure.ts';
import { signIn } from '../sign-in.ts';
import { FollowedMedia, FollowedParticipant } from './followed-participant.ts';
import type { RoomHostEvent, RoomReport, Visit } from './room-messages.ts';

/** The interval of statistics and live lines. */
const MEASURE_MS = 1_000;
/** The sound of a mix is due from the start to the end. */
const MIXED: MediaStates = { audio: 'due', video: 'off' };

export interface RunningVisit {
  /** Measures once more, leaves, and reports. Resolves to false before the entry. */
  leave(): Promise<boolean>;
}

/** Starts a stay. Emits its events, of which `left` or `failed` is the last. */
export function startVisit(
  visit: Visit,
  emit: (event: RoomHostEvent) => void,
  log: (line: string) => void,
): RunningVisit {
  let stay: Stay | null = null;
  const errors: CallReport['errors'] = [];
  const platform = createWrtcPlatform(visit.media, (level, line) => {
    if (level === 'error') errors.push({ message: line });
    log(line);
  });
  const start = async () => {
    const startedAt = platform.clock.now();
    const client = await signIn(visit, platform);
    platform.onChannel = (isOpen) => emit({ type: 'channel', isOpen });
    const room = await client.fetchRoomById(visit.roomId);
    const { publishes, video, kickSiblings } = visit;
    const entering = new Stay(room, visit, platform, errors, emit);
    await room.enter({ audioEnabled: publishes, videoEnabled: publishes && video, kickSiblings });
    stay = entering;
    entering.begin(Math.round(platform.clock.now() - startedAt));
  };
  start().catch((error: unknown) => emit(roomFailureOf(error, 'The stay in the room', visit.roomId)));
  return { leave: async () => (stay ? stay.leave('left').then(() => true) : false) };
}

/** One stay of this client in a room. */
class Stay {
  readonly #room: Room;
  readonly #visit: Visit;
  readonly #platform: HeadlessPlatform;
  readonly #errors: CallReport['errors'];
  readonly #emit: (event: RoomHostEvent) => void;
  readonly #followed = new Map<string, FollowedParticipant>();
  /** The mixed sound of a large room. Null in a small one. */
  readonly #mix: FollowedMedia | null;
  readonly #stops: (() => void)[] = [];
  #enteredAt = 0;
  #reconnections = 0;
  #isOver = false;

  constructor(
    room: Room,
    visit: Visit,
    platform: HeadlessPlatform,
    errors: CallReport['errors'],
    emit: (event: RoomHostEvent) => void,
  ) {
    this.#room = room;
    this.#visit = visit;
    this.#platform = platform;
    this.#errors = errors;
    this.#emit = emit;
    this.#mix = room.roomType.startsWith('large_') ? new FollowedMedia(platform) : null;
    if (this.#mix && room.roomType === 'large_room_for_audio_only') room.setAudioForLargeRoom(this.#mix.element);
    // The library plays the mix of a large room for video itself.
    else if (this.#mix) platform.mixElement = this.#mix.element;
    this.#listen();
  }

  /** Reports the entry, and measures from now on. */
  begin(afterMs: number): void {
    const { roomId, roomType, remoteParticipants } = this.#room;
    const { clock } = this.#platform;
    this.#enteredAt = clock.now();
    this.#mix?.begin(false);
    for (const participant of remoteParticipants) this.#follow(participant);
    const participants = [...this.#followed.values()].map(({ member }) => member);
    this.#emit({ type: 'entered', roomId, roomType, user: this.#visit.userId, participants, afterMs });
    const beat = clock.every(MEASURE_MS, () => void this.#measure());
    this.#stops.push(() => beat.cancel());
    const { lengthMs } = this.#visit;
    if (lengthMs === undefined) return;
    const limit = clock.after(lengthMs, () => void this.leave('left'));
    this.#stops.push(() => limit.cancel());
  }

  /** Ends the stay once: leaves the room, sends the last requests, and reports. */
  async leave(result: RoomReport['result']): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const stop of this.#stops.splice(0)) stop();
    const duration = Math.round(this.#platform.clock.now() - this.#enteredAt);
    for (const followed of this.#followed.values()) followed.stop();
    this.#mix?.stop(MIXED);
    if (this.#room.localParticipant) this.#room.exit();
    await this.#platform.requestsSettled();
    const { roomId, roomType } = this.#room;
    const report: RoomReport = {
      result,
      roomId,
      roomType,
      user: this.#visit.userId,
      duration,
      participants: [...this.#followed.values()].map((followed) => followed.report(this.#enteredAt)),
      ...(this.#mix ? { mix: this.#mix.figures() } : {}),
      reconnections: this.#reconnections,
      errors: this.#errors,
    };
    this.#emit({ type: 'left', report });
  }

  #listen(): void {
    const room = this.#room;
    const of = ({ participantId }: RemoteParticipant) => this.#followed.get(participantId);
    room.on('remoteParticipantEntered', (participant) => {
      const followed = this.#follow(participant);
      if (this.#enteredAt > 0) this.#emit({ type: 'arrived', ...followed.member });
    });
    room.on('remoteParticipantExited', (participant) => {
      const followed = of(participant);
      followed?.stop();
      if (followed) this.#emit({ type: 'departed', ...followed.member });
    });
    room.on('remoteParticipantStreamStarted', (participant) => this.#follow(participant).streamStarted());
    room.on('remoteAudioSettingsChanged', (participant) => of(participant)?.settingsChanged());
    room.on('remoteVideoSettingsChanged', (participant) => of(participant)?.settingsChanged());
    room.on('localParticipantDisconnected', () => this.#emit({ type: 'disconnected' }));
    room.on('localParticipantReconnected', () => {
      this.#reconnections += 1;
      this.#emit({ type: 'reconnected' });
    });
    room.on('deleted', () => void this.leave('deleted'));
    room.on('error', (error) => this.#failed(error));
  }

  #failed(error: CallError): void {
    const { code, name, message } = error;
    this.#errors.push({ code, name, message });
    if (code === ErrorCode.ERR_LOCAL_PARTICIPANT_KICKED_OUT) void this.leave('kicked');
    if (code === ErrorCode.ERR_LOCAL_PARTICIPANT_LOST_CONNECTION) void this.leave('lost');
  }

  #follow(participant: RemoteParticipant): FollowedParticipant {
    const known = this.#followed.get(participant.participantId);
    if (known) return known;
    const hasVideo = this.#visit.video && this.#room.roomType.endsWith('_video');
    const followed = new FollowedParticipant(participant, this.#platform, hasVideo);
    this.#followed.set(participant.participantId, followed);
    return followed;
  }

  async #measure(): Promise<void> {
    const live = [...this.#followed.values()].filter(({ isOver }) => !isOver);
    const participants = await Promise.all(
      live.map(async (followed) => ({ ...followed.member, second: await followed.endSecond() })),
    );
    const mix = this.#mix ? { mix: await this.#mix.endSecond(MIXED) } : {};
    if (this.#isOver) return;
    const endMs = Math.round(this.#platform.clock.now() - this.#enteredAt);
    this.#emit({ type: 'measured', endMs, participants, ...mix });
  }
}
