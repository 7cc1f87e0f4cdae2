/** Follows one call of the library from its start to its report. */
import type { DirectCall } from '../../src/calls/direct-call/direct-call.ts';
import type { Clock, Timer } from '../../src/common/clock.ts';
import { END_RESULTS } from '../../src/protocol/enumerations.ts';
import { CallAccount } from './call-account.ts';
import type { MediaAccount, MediaStates } from './media-account.ts';
import { createMeasuredView, type MeasuredView } from './measured-view.ts';
import type { Assignment, CallReport, HostEvent, Second } from './messages.ts';
import type { HeadlessPlatform } from './platform/wrtc-platform.ts';

/** The interval of statistics and live lines. */
const MEASURE_MS = 1_000;
/** The maximum time between the accepted dial and the ringing of an online device. */
const REACH_MS = 2_000;
/** The interval and number of requests for the codecs, which are known after the first packets. */
const CODEC_POLL_MS = 50;
const CODEC_POLLS = 40;
/** The maximum time for the last sample before hanging up. */
const LAST_SAMPLE_MS = 1_000;

/** One call, followed from its start to its report. */
export class FollowedCall {
  /** Resolves after the report was sent. */
  readonly ended: Promise<void>;
  readonly #assignment: Assignment;
  readonly #emit: (event: HostEvent) => void;
  readonly #view: MeasuredView;
  readonly #account: CallAccount;
  readonly #timers: CallTimers;
  readonly #takeSample: () => ReturnType<MediaAccount['takeSample']>;
  /** Ends a second. The runs wait for each other, because each second is measured against the previous one. */
  readonly #measure: () => Promise<Second | null>;
  #settle: () => void = () => undefined;
  #call: DirectCall | null = null;
  #isOver = false;
  /** True when a device of the callee has received the ring. */
  #isReached = false;

  constructor(assignment: Assignment, platform: HeadlessPlatform, emit: (event: HostEvent) => void) {
    this.#assignment = assignment;
    this.#emit = emit;
    this.#view = createMeasuredView(platform.clock);
    this.#account = new CallAccount(assignment, this.#view, platform.clock.now);
    this.#timers = callTimers(platform.clock);
    this.#takeSample = () => this.#account.media.takeSample(platform.peerConnection);
    this.#measure = oneAtATime(() => this.#endSecond());
    this.ended = new Promise((resolve) => (this.#settle = resolve));
  }

  /** The elements that receive the media of the other side. */
  get element(): HTMLMediaElement {
    return this.#view.element;
  }

  /** Starts following the call that the library has created. */
  follow(call: DirectCall): void {
    this.#call = call;
    const onReached = (): void => void (this.#isReached = true);
    reportProgress(call, { account: this.#account, emit: this.#emit, onReached });
    call.onConnected = () => void this.#connected(call);
    call.onEnded = () => this.#ended(call);
  }

  /** Handles an accepted dial: reports it when no device of the callee rings soon. */
  dialled(): void {
    this.#timers.after(REACH_MS, () => {
      if (this.#isReached || this.#isOver || !this.#call) return;
      const { remoteUser, callId } = this.#call;
      this.#emit({ type: 'unreached', peer: remoteUser.userId, callId });
    });
  }

  /** Adds an error to the report. */
  failed(error: CallReport['errors'][number]): void {
    this.#account.failed(error);
  }

  /** Measures once more, then ends the call. */
  async hangUp(): Promise<void> {
    // A failed measurement must not prevent hanging up.
    await Promise.race([this.#measure(), this.#timers.pause(LAST_SAMPLE_MS)]);
    this.#call?.end();
  }

  async #endSecond(): Promise<Second | null> {
    const sample = await this.#takeSample();
    // The end of the call has already ended the last second.
    return this.#isOver || !this.#call ? null : this.#account.media.endSecond(sample, statesOf(this.#call));
  }

  async #connected(call: DirectCall): Promise<void> {
    const { lengthMs } = this.#assignment;
    const afterMs = this.#account.reached('connected');
    this.#account.media.begin(call.isVideoCall);
    let isAnnounced = false;
    const measured = (second: Second | null) => {
      if (second && isAnnounced && !this.#isOver) this.#emit({ type: 'measured', second });
    };
    this.#timers.every(MEASURE_MS, () => void this.#measure().then(measured));
    if (lengthMs !== undefined) this.#timers.after(lengthMs, () => void this.hangUp());
    await this.#sampleUntilCodecs(call.isVideoCall);
    if (this.#isOver) return;
    isAnnounced = true;
    this.#emit({ type: 'connected', afterMs, connection: this.#account.media.connection() });
  }

  /** Takes samples until they name the codecs and the path of the call, the call ends, or the polls are used up. */
  async #sampleUntilCodecs(isVideoCall: boolean): Promise<void> {
    for (let poll = 0; poll < CODEC_POLLS && !this.#isOver; poll += 1) {
      await this.#takeSample();
      const { audioCodec, videoCodec, candidatePair } = this.#account.media.connection();
      if (candidatePair && audioCodec && (videoCodec || !isVideoCall)) return;
      await this.#timers.pause(CODEC_POLL_MS);
    }
  }

  #ended(call: DirectCall): void {
    this.#isOver = true;
    this.#timers.cancel();
    this.#account.reached('ended');
    // The connection is closed, so its statistics are gone. The meters still have the sound and picture.
    this.#account.media.endSecond(null, statesOf(call));
    this.#view.stop();
    const outcome = outcomeOf(call);
    // The library ends a failed dial before it reports the reason. The report waits for the reason.
    setImmediate(() => {
      this.#emit({ type: 'ended', report: this.#account.report(outcome) });
      this.#settle();
    });
  }
}

/** The timers of one call. */
interface CallTimers {
  after(ms: number, run: () => void): void;
  every(ms: number, run: () => void): void;
  /** Resolves after `ms` milliseconds, unless the timers are cancelled before. */
  readonly pause: (ms: number) => Promise<void>;
  /** Cancels every timer. */
  cancel(): void;
}

function callTimers(clock: Clock): CallTimers {
  const timers: Timer[] = [];
  return {
    after: (ms, run) => void timers.push(clock.after(ms, run)),
    every: (ms, run) => void timers.push(clock.every(ms, run)),
    pause: (ms) => new Promise((resolve) => timers.push(clock.after(ms, resolve))),
    cancel() {
      for (const timer of timers.splice(0)) timer.cancel();
    },
  };
}

/** Makes the runs of `measure` wait for each other. */
function oneAtATime(measure: () => Promise<Second | null>): () => Promise<Second | null> {
  let last: Promise<Second | null> = Promise.resolve(null);
  return () => (last = last.then(measure));
}

/** Returns what the other side must send now. */
function statesOf(call: DirectCall): MediaStates {
  if (call.isOnHold) return { audio: 'held', video: 'held' };
  return { audio: call.isRemoteAudioEnabled ? 'due' : 'off', video: call.isRemoteVideoEnabled ? 'due' : 'off' };
}

/** Returns how an ended call ended, for its report. */
function outcomeOf(call: DirectCall): Parameters<CallAccount['report']>[0] {
  const result = call.endResult?.toLowerCase();
  return {
    result: END_RESULTS.find((known) => known === result) ?? 'unknown',
    callId: call.callId || null,
    role: call.myRole === 'dc_caller' ? 'caller' : 'callee',
    peer: call.remoteUser.userId,
    video: call.isVideoCall,
    endedBy: call.endedBy?.userId ?? null,
    duration: Math.round(call.getDuration()),
  };
}

interface Progress {
  readonly account: CallAccount;
  readonly emit: (event: HostEvent) => void;
  /** Called when a device of the callee has received the ring. */
  readonly onReached: () => void;
}

/** Emits the events of a call between its start and its end, and notes which media the other side must send. */
function reportProgress(current: DirectCall, { account, emit, onReached }: Progress): void {
  current.onCalleeDialReceived = () => {
    onReached();
    // A callee that answers at once may do so before the ring is reported.
    if (!current.isOngoing) emit({ type: 'ringing', afterMs: account.reached('ringing') });
  };
  current.onEstablished = () => {
    onReached();
    emit({ type: 'established', afterMs: account.reached('established') });
  };
  const expects = () => account.media.expects(statesOf(current));
  current.onRemoteAudioSettingsChanged = expects;
  current.onRemoteVideoSettingsChanged = expects;
  current.onUserHoldStatusChanged = expects;
  current.onReconnecting = () => emit({ type: 'reconnecting' });
  current.onReconnected = () => {
    account.reconnected();
    emit({ type: 'reconnected' });
  };
}
