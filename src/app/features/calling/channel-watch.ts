import type { Clock } from '../../core/ports/clock.ts';
import type { ReadableStore } from '../../core/store/store.ts';
import { retryWaitMs } from '../../core/time/retry-wait.ts';

interface Dependencies {
  /** Whether the live events of the product are connected. */
  live: ReadableStore<boolean>;
  /** Opens the library's channel: at once where it is open. */
  connect(): Promise<void>;
  onDown(error: unknown): void;
  clock: Pick<Clock, 'after'>;
  random(): number;
}

/** Within these the library is mostly back on its channel, and the user hears nothing of it. */
const PATIENCE_MS = 5_000;

/**
 * Watches over a channel that was opened. The library retries a lost channel, and its API has no event for that. The app
 * sees its own socket close when a server or the network is gone. For as long as that lasts, it asks the library for the
 * channel. The wait is random, so that the pages of a restarted server do not ask at once.
 *
 * @returns the undo. It is also over after `onDown`.
 */
export function watchChannel({ live, connect, onDown, clock, random }: Dependencies): () => void {
  let isOver = false;
  let cancelLook = (): void => {};

  function lookLater(): void {
    cancelLook();
    if (isOver || live.get()) return;
    cancelLook = clock.after(PATIENCE_MS + retryWaitMs(0, random), () => void look());
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
    cancelLook();
    unfollow();
  }

  const unfollow = live.subscribe(lookLater);
  lookLater();
  return end;
}
