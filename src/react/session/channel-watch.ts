import type { Clock, Timer } from '../../common/clock.ts';
import type { ReadableStore } from '../../common/store.ts';
import { retryWaitMs } from '../../common/retry-wait.ts';

interface Dependencies {
  /** True while another socket of the host is connected, see `SessionPorts`. */
  live: ReadableStore<boolean>;
  /** Opens the library's channel. Resolves at once when it is open. */
  connect(): Promise<void>;
  onDown(error: unknown): void;
  clock: Pick<Clock, 'after'>;
  random(): number;
}

/** The library mostly reconnects within this time, so that no failure is reported before. */
const PATIENCE_MS = 5_000;

/**
 * Watches an open channel. The library retries a lost channel, and its API has no event for that. A host sees its own
 * socket close when a server or the network is lost. Until that socket reconnects, the library is asked to open the
 * channel. The wait is random, so that the pages of a restarted server do not all reconnect at once.
 *
 * @returns the function that stops watching. The watch also ends after `onDown`.
 */
export function watchChannel({ live, connect, onDown, clock, random }: Dependencies): () => void {
  let isOver = false;
  let nextLook: Timer | undefined;

  function lookLater(): void {
    nextLook?.cancel();
    if (isOver || live.get()) return;
    nextLook = clock.after(PATIENCE_MS + retryWaitMs(0, random), () => void look());
  }

  async function look(): Promise<void> {
    try {
      await connect();
      lookLater();
    } catch (error) {
      if (isOver) return;
      end();
      onDown(error);
    }
  }

  function end(): void {
    isOver = true;
    nextLook?.cancel();
    unfollow();
  }

  const unfollow = live.subscribe(lookLater);
  lookLater();
  return end;
}
