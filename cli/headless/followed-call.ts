/** Follows one call of the library from its first moment to its report. */
import type { DirectCall } from '../../src/calls/direct-call/direct-call.ts';
import { END_RESULTS } from '../../src/protocol/enumerations.ts';
import { CallAccount } from './call-account.ts';
import { createMeasuredView } from './measured-view.ts';
import type { Assignment, CallReport, HostEvent } from './messages.ts';
import type { HeadlessPlatform } from './platform/wrtc-platform.ts';

/** Statistics and the live lines come this often. */
const MEASURE_MS = 1_000;
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

  const hangUp = async () => {
    // A call that will not be measured is hung up all the same.
    const limit = new Promise<void>((resolve) => timers.push(clock.after(LAST_SAMPLE_MS, resolve)));
    await Promise.race([account.takeSample(platform.peerConnection), limit]);
    call?.end();
  };

  const connected = async (current: DirectCall) => {
    const connectedAt = clock.now();
    const afterMs = account.reached('connected');
    if (assignment.lengthMs !== undefined) timers.push(clock.after(assignment.lengthMs, () => void hangUp()));
    for (let poll = 0; poll < CODEC_POLLS && !over; poll += 1) {
      await account.takeSample(platform.peerConnection);
      const { audioCodec, videoCodec, candidatePair } = account.connection();
      if (candidatePair && audioCodec && (videoCodec || !current.isVideoCall)) break;
      await new Promise<void>((resolve) => timers.push(clock.after(CODEC_POLL_MS, resolve)));
    }
    if (over) return;
    emit({ type: 'connected', afterMs, connection: account.connection() });
    const measure = async () => {
      await account.takeSample(platform.peerConnection);
      if (over) return;
      emit({
        type: 'measured',
        elapsedMs: Math.max(0, Math.round(clock.now() - connectedAt)),
        received: account.received(),
        quality: account.quality(),
        connection: account.connection(),
      });
    };
    timers.push(clock.every(MEASURE_MS, () => void measure()));
  };

  const ended = (current: DirectCall) => {
    over = true;
    for (const timer of timers.splice(0)) timer.cancel();
    account.reached('ended');
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
    failed: (error) => account.failed(error),
    follow(current) {
      call = current;
      current.onCalleeDialReceived = () => {
        // A callee that answers at once may be quicker than the word that it rings.
        if (!current.isOngoing) emit({ type: 'ringing', afterMs: account.reached('ringing') });
      };
      current.onEstablished = () => emit({ type: 'established', afterMs: account.reached('established') });
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
