/** Follows one call of the library from its start to its report. */
import type { DirectCall } from '../../src/calls/direct-call/direct-call.ts';
import { END_RESULTS } from '../../src/protocol/enumerations.ts';
import { CallAccount, type MediaStates } from './call-account.ts';
import { createMeasuredView } from './measured-view.ts';
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

export interface FollowedCall {
  /** The elements that receive the media of the other side. */
  readonly element: HTMLMediaElement;
  /** Starts following the call that the library has created. */
  follow(call: DirectCall): void;
  /** Handles an accepted dial: reports it when no device of the callee rings soon. */
  dialled(): void;
  /** Adds an error to the report. */
  failed(error: CallReport['errors'][number]): void;
  /** Measures once more, then ends the call. */
  hangUp(): Promise<void>;
  /** Resolves after the report was sent. */
  readonly ended: Promise<void>;
}

export function createFollowedCall(
  assignment: Assignment,
  platform: HeadlessPlatform,
  emit: (event: HostEvent) => void,
): FollowedCall {
  const { clock } = platform;
  const view = createMeasuredView();
  const account = new CallAccount(assignment, view, clock.now);
  const timers: { cancel(): void }[] = [];
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  let call: DirectCall | null = null;
  let over = false;
  /** True when a device of the callee has received the ring. */
  let isReached = false;

  /** Ends the seconds one at a time, because each is measured against the previous one. */
  let measuring: Promise<Second | null> = Promise.resolve(null);
  const measure = (): Promise<Second | null> => {
    measuring = measuring.then(async () => {
      const sample = await account.takeSample(platform.peerConnection);
      // The end of the call has already ended the last second.
      return over || !call ? null : account.endSecond(sample, statesOf(call));
    });
    return measuring;
  };

  const hangUp = async () => {
    // A failed measurement must not prevent hanging up.
    const limit = new Promise<void>((resolve) => timers.push(clock.after(LAST_SAMPLE_MS, resolve)));
    await Promise.race([measure(), limit]);
    call?.end();
  };

  const connected = async (current: DirectCall) => {
    const afterMs = account.reached('connected');
    account.begin(current.isVideoCall);
    let isAnnounced = false;
    timers.push(
      clock.every(MEASURE_MS, () => {
        void measure().then((second) => {
          if (second && isAnnounced && !over) emit({ type: 'measured', second });
        });
      }),
    );
    if (assignment.lengthMs !== undefined) timers.push(clock.after(assignment.lengthMs, () => void hangUp()));
    for (let poll = 0; poll < CODEC_POLLS && !over; poll += 1) {
      await account.takeSample(platform.peerConnection);
      const { audioCodec, videoCodec, candidatePair } = account.connection();
      if (candidatePair && audioCodec && (videoCodec || !current.isVideoCall)) break;
      await new Promise<void>((resolve) => timers.push(clock.after(CODEC_POLL_MS, resolve)));
    }
    if (over) return;
    isAnnounced = true;
    emit({ type: 'connected', afterMs, connection: account.connection() });
  };

  const ended = (current: DirectCall) => {
    over = true;
    for (const timer of timers.splice(0)) timer.cancel();
    account.reached('ended');
    // The connection is closed, so its statistics are gone. The meters still have the sound and picture.
    account.endSecond(null, statesOf(current));
    view.stop();
    const outcome = outcomeOf(current);
    // The library ends a failed dial before it reports the reason. The report waits for the reason.
    setImmediate(() => {
      emit({ type: 'ended', report: account.report(outcome) });
      settle();
    });
  };

  return {
    element: view.element,
    ended: settled,
    hangUp,
    dialled() {
      const report = () => {
        if (!isReached && !over && call) emit({ type: 'unreached', peer: call.remoteUser.userId });
      };
      timers.push(clock.after(REACH_MS, report));
    },
    failed: (error) => account.failed(error),
    follow(current) {
      call = current;
      const onReached = (): void => void (isReached = true);
      reportProgress(current, { account, emit, onReached });
      current.onConnected = () => void connected(current);
      current.onEnded = () => ended(current);
    },
  };
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
  const expects = () => account.expects(statesOf(current));
  current.onRemoteAudioSettingsChanged = expects;
  current.onRemoteVideoSettingsChanged = expects;
  current.onUserHoldStatusChanged = expects;
  current.onReconnecting = () => emit({ type: 'reconnecting' });
  current.onReconnected = () => {
    account.reconnected();
    emit({ type: 'reconnected' });
  };
}
