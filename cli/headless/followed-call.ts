/** Follows one call of the library from its first moment to its report. */
import type { DirectCall } from '../../src/calls/direct-call/direct-call.ts';
import { END_RESULTS } from '../../src/protocol/enumerations.ts';
import { CallAccount, type MediaStates } from './call-account.ts';
import { createMeasuredView } from './measured-view.ts';
import type { Assignment, CallReport, HostEvent, Second } from './messages.ts';
import type { HeadlessPlatform } from './platform/wrtc-platform.ts';

/** Statistics and the live lines come this often. */
const MEASURE_MS = 1_000;
/** A device that is online rings sooner than this after the exchange took the dial. */
const REACH_MS = 2_000;
/** The codecs are known with the first packets; asked this often until then, this many times. */
const CODEC_POLL_MS = 50;
const CODEC_POLLS = 40;
/** The last sample before hanging up may take this long. */
const LAST_SAMPLE_MS = 1_000;

export interface FollowedCall {
  /** Where the library is to put the other side's media. */
  readonly element: HTMLMediaElement;
  /** The call there is to follow, once the library has made it. */
  follow(call: DirectCall): void;
  /** The exchange took the dial: reports it when no device of the callee rings soon. */
  dialled(): void;
  /** Adds what went wrong to the report. */
  failed(error: CallReport['errors'][number]): void;
  /** Measures once more, then ends the call. */
  hangUp(): Promise<void>;
  /** Resolves when the report is out. */
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
  /** A device of the callee has the ring. */
  let isReached = false;

  /** Ends a second, one at a time: each is measured from the one before. */
  let measuring: Promise<Second | null> = Promise.resolve(null);
  const measure = (): Promise<Second | null> => {
    measuring = measuring.then(async () => {
      const sample = await account.takeSample(platform.peerConnection);
      // The end of the call has closed the last second.
      return over || !call ? null : account.endSecond(sample, statesOf(call));
    });
    return measuring;
  };

  const hangUp = async () => {
    // A call that will not be measured is hung up all the same.
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
    // The connection is closed by now, so its statistics are gone; what was heard and seen is not.
    account.endSecond(null, statesOf(current));
    view.stop();
    const result = current.endResult?.toLowerCase();
    const endedBy = current.endedBy?.userId ?? null;
    // The library ends a failed dial first and says why just after; the report waits for the reason.
    setImmediate(() => {
      emit({
        type: 'ended',
        report: account.report({
          result: END_RESULTS.find((known) => known === result) ?? 'unknown',
          callId: current.callId || null,
          role: current.myRole === 'dc_caller' ? 'caller' : 'callee',
          peer: current.remoteUser.userId,
          video: current.isVideoCall,
          endedBy,
          duration: Math.round(current.getDuration()),
        }),
      });
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
      current.onCalleeDialReceived = () => {
        isReached = true;
        // A callee that answers at once may be quicker than the word that it rings.
        if (!current.isOngoing) emit({ type: 'ringing', afterMs: account.reached('ringing') });
      };
      current.onEstablished = () => {
        isReached = true;
        emit({ type: 'established', afterMs: account.reached('established') });
      };
      const expects = () => account.expects(statesOf(current));
      current.onRemoteAudioSettingsChanged = expects;
      current.onRemoteVideoSettingsChanged = expects;
      current.onUserHoldStatusChanged = expects;
      current.onConnected = () => void connected(current);
      current.onReconnecting = () => emit({ type: 'reconnecting' });
      current.onReconnected = () => {
        account.reconnected();
        emit({ type: 'reconnected' });
      };
      current.onEnded = () => ended(current);
    },
  };
}

/** What the other side is to send now. */
function statesOf(call: DirectCall): MediaStates {
  if (call.isOnHold) return { audio: 'held', video: 'held' };
  return { audio: call.isRemoteAudioEnabled ? 'due' : 'off', video: call.isRemoteVideoEnabled ? 'due' : 'off' };
}
