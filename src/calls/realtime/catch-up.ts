import type { EventFrame } from '../../protocol/envelope.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { ServerEventType } from '../../protocol/messages/events.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock } from '../../common/clock.ts';
import { fixedPolicy, type RetryPolicy } from './retry-policy.ts';
import type { Signalling } from './signalling.ts';
import { wait } from './wait.ts';

export interface CatchUpDeps {
  readonly signalling: Pick<Signalling, 'request'>;
  /** Requests the signals that the exchange keeps for these calls (HTTP). */
  readonly missedSignals: (callIds: readonly string[]) => Promise<readonly EventFrame[]>;
  /** Returns the calls that are live here at this moment. */
  readonly liveCalls: () => readonly string[];
  /**
   * Receives missed signals, each call's in order of sequence. Known signals come again. The receiver detects them by
   * number.
   */
  readonly sink: (frame: EventFrame) => void;
  /** Handles a live call that the exchange does not know (D12). */
  readonly onUnknown: (callId: string) => void;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

/** The events after which a call is over for this device. */
const ENDINGS: ReadonlySet<ServerEventType> = new Set<ServerEventType>([
  'cancel',
  'decline',
  'end',
  'timeout',
  'connection_lost',
  'no_answer',
  'unknown_end',
  'other_device_accepted',
]);

const callOf = ({ payload }: EventFrame) => ('call_id' in payload ? payload.call_id : undefined);

/**
 * Fetches what was missed while the channel was closed (§4): it requests the calls that have not ended, fetches their
 * missed signals and those of other live calls here, and passes them on. A repeated run does no harm. A newer run
 * supersedes an active one.
 */
export class CatchUp {
  readonly #deps: CatchUpDeps;
  readonly #policy: RetryPolicy;
  #restoration = new AbortController();
  #fetches = new AbortController();
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(deps: CatchUpDeps) {
    this.#deps = deps;
    this.#policy = fixedPolicy(deps.random);
  }

  /**
   * Catches up after the channel has reconnected. Resolves when done, given up (logged) or superseded. Never rejects.
   */
  async run(): Promise<void> {
    this.#restoration.abort();
    this.#restoration = new AbortController();
    const { signal } = this.#restoration;
    // Before the request: a call that begins after it cannot be missing from the answer.
    const thoughtLive = this.#deps.liveCalls();
    const listed = await this.#retried('unended calls', signal, async () =>
      (await this.#deps.signalling.request('unended_calls', {})).calls.map(({ call_id }) => call_id),
    );
    if (!listed) return;
    const ids = [...new Set([...thoughtLive, ...listed])];
    if (ids.length === 0) return;
    const frames = await this.#retried('missed signals', signal, () => this.#deps.missedSignals(ids));
    if (!frames) return;
    this.#feed(frames, new Set(thoughtLive));
    const explained = new Set([...listed, ...endedIn(frames)]);
    for (const id of thoughtLive) {
      if (!explained.has(id) && this.#deps.liveCalls().includes(id)) this.#deps.onUnknown(id);
    }
  }

  /** Fetches the missed signals of one call after a gap in its sequence. Concurrent requests share the result. */
  fetchMissed(callId: string): Promise<void> {
    const running = this.#fetching.get(callId);
    if (running) return running;
    const fetch = this.#fetchOne(callId).finally(() => this.#fetching.delete(callId));
    this.#fetching.set(callId, fetch);
    return fetch;
  }

  /** Stops every request after the sign-out. */
  close(): void {
    this.#restoration.abort();
    this.#fetches.abort();
    this.#fetches = new AbortController();
  }

  async #fetchOne(callId: string): Promise<void> {
    const frames = await this.#retried('missed signals', this.#fetches.signal, () =>
      this.#deps.missedSignals([callId]),
    );
    if (frames) this.#feed(frames, new Set([callId]));
  }

  #feed(frames: readonly EventFrame[], known: ReadonlySet<string>): void {
    const over = endedIn(frames);
    for (const frame of [...frames].sort((a, b) => a.sequence_number - b.sequence_number)) {
      const id = callOf(frame);
      // A call that rang and ended while the channel was closed does not ring now.
      if (id !== undefined && over.has(id) && !known.has(id)) continue;
      try {
        this.#deps.sink(frame);
      } catch (error) {
        this.#deps.log.error('a missed signal could not be handled', { type: frame.type, error });
      }
    }
  }

  /** Retries an attempt by the second strategy (RT-08). Resolves to undefined when it was given up or stopped. */
  async #retried<T>(what: string, signal: AbortSignal, attempt: () => Promise<T>): Promise<T | undefined> {
    for (let retry = 0; !signal.aborted; retry += 1) {
      try {
        const result = await attempt();
        return signal.aborted ? undefined : result;
      } catch (error) {
        const ms = this.#policy.waitBefore(retry);
        const hopeless = error instanceof CallError && error.code === ErrorCode.USER_NOT_AUTHENTICATED;
        if (hopeless || ms === null) {
          if (!signal.aborted) this.#deps.log.error(`catch-up gave up on ${what}`, { error });
          return undefined;
        }
        await wait(this.#deps.clock, ms, signal);
      }
    }
    return undefined;
  }
}

const endedIn = (frames: readonly EventFrame[]) =>
  new Set(frames.flatMap((frame) => (ENDINGS.has(frame.type) ? [callOf(frame)] : [])).filter((id) => id !== undefined));
