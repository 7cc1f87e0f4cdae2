import type { EventFrame } from '../../protocol/envelope.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock } from '../../common/clock.ts';
import { dispatchSignal, recoveriesOf, type SignalConsumer, type SignalRecovery } from './dispatcher.ts';
import { fixedPolicy } from './retry-policy.ts';
import { wait } from './wait.ts';

export interface CatchUpDeps {
  /**
   * Receive missed signals, those of each id in order of sequence. Known signals come again. The consumer detects them
   * by number.
   */
  readonly consumers: readonly SignalConsumer[];
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

/**
 * Fetches what was missed while the channel was closed (§4). For each consumer it requests the ids that have not ended,
 * fetches their missed signals and those of other live ids here, and passes them on. A repeated run does no harm. A
 * newer run supersedes an active one.
 */
export class CatchUp {
  readonly #deps: CatchUpDeps;
  #restoration = new AbortController();
  #fetches = new AbortController();
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(deps: CatchUpDeps) {
    this.#deps = deps;
  }

  /**
   * Catches up after the channel has reconnected. Resolves when done, given up (logged) or superseded. Never rejects.
   */
  async run(): Promise<void> {
    this.#restoration.abort();
    this.#restoration = new AbortController();
    const { signal } = this.#restoration;
    await Promise.all(recoveriesOf(this.#deps.consumers).map((recovery) => recover(this.#deps, recovery, signal)));
  }

  /**
   * Fetches the missed signals of one id of a consumer, after a gap in its sequence. Concurrent requests share the
   * result.
   */
  fetchMissed(kind: string, id: string): Promise<void> {
    const key = `${kind} ${id}`;
    const running = this.#fetching.get(key);
    if (running) return running;
    const recovery = recoveriesOf(this.#deps.consumers).find((one) => one.kind === kind);
    if (!recovery) return Promise.resolve();
    const fetch = fetchOne(this.#deps, recovery, id, this.#fetches.signal).finally(() => this.#fetching.delete(key));
    this.#fetching.set(key, fetch);
    return fetch;
  }

  /** Stops every request after the sign-out. */
  close(): void {
    this.#restoration.abort();
    this.#fetches.abort();
    this.#fetches = new AbortController();
  }
}

async function recover(deps: CatchUpDeps, recovery: SignalRecovery, signal: AbortSignal): Promise<void> {
  // Before the request: a call that begins after it cannot be missing from the answer.
  const thoughtLive = recovery.liveIds();
  const listed = await retried(deps, `unended ${recovery.kind}`, signal, () => recovery.fetchUnended());
  if (!listed) return;
  const ids = [...new Set([...thoughtLive, ...listed])];
  if (ids.length === 0) return;
  const frames = await retried(deps, 'missed signals', signal, () => recovery.fetchMissed(ids));
  if (!frames) return;
  feed(deps, recovery, frames, thoughtLive);
  const explained = new Set([...listed, ...endedIn(recovery, frames)]);
  for (const id of thoughtLive) {
    if (!explained.has(id) && recovery.liveIds().includes(id)) recovery.unknown(id);
  }
}

async function fetchOne(deps: CatchUpDeps, recovery: SignalRecovery, id: string, signal: AbortSignal): Promise<void> {
  const frames = await retried(deps, 'missed signals', signal, () => recovery.fetchMissed([id]));
  if (frames) feed(deps, recovery, frames, [id]);
}

/** Passes missed signals on. `known` are the ids that were live here before. */
function feed(
  { consumers, log }: CatchUpDeps,
  recovery: SignalRecovery,
  frames: readonly EventFrame[],
  known: readonly string[],
): void {
  const over = endedIn(recovery, frames);
  for (const frame of [...frames].sort((a, b) => a.sequence_number - b.sequence_number)) {
    const id = recovery.idOf(frame);
    // A call that rang and ended while the channel was closed does not ring now.
    if (id !== undefined && over.has(id) && !known.includes(id)) continue;
    try {
      dispatchSignal(consumers, frame);
    } catch (error) {
      log.error('a missed signal could not be handled', { type: frame.type, error });
    }
  }
}

/** Retries an attempt by the second strategy (RT-08). Resolves to undefined when it was given up or stopped. */
async function retried<T>(
  { clock, random, log }: CatchUpDeps,
  what: string,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  for (let retry = 0; !signal.aborted; retry += 1) {
    try {
      const result = await attempt();
      return signal.aborted ? undefined : result;
    } catch (error) {
      const ms = fixedPolicy(random).waitBefore(retry);
      const hopeless = error instanceof CallError && error.code === ErrorCode.USER_NOT_AUTHENTICATED;
      if (hopeless || ms === null) {
        if (!signal.aborted) log.error(`catch-up gave up on ${what}`, { error });
        return undefined;
      }
      await wait(clock, ms, signal);
    }
  }
  return undefined;
}

/** Returns the ids that are over after these signals. */
const endedIn = (recovery: SignalRecovery, frames: readonly EventFrame[]): ReadonlySet<string> =>
  new Set(frames.flatMap((frame) => (recovery.isEnd(frame) ? (recovery.idOf(frame) ?? []) : [])));
