import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { retryWaitMs } from '../time/retry-wait.ts';
import type { ReadEvent } from './event-client.ts';

/** Loads the code that understands live events, which a visitor does without. */
export interface ReaderLoader {
  /** Loads it, and again with backoff where that fails. */
  start(): void;
  /** Forgets a load that is under way, and its next try. */
  stop(): void;
}

interface Dependencies {
  load(): Promise<ReadEvent>;
  onLoaded(read: ReadEvent): void;
  clock: Pick<Clock, 'after'>;
  random(): number;
  logger: Logger;
}

export function createReaderLoader({ load, onLoaded, clock, random, logger }: Dependencies): ReaderLoader {
  /** Goes up with every start and stop, so that a late answer is recognised. */
  let generation = 0;
  let cancelRetry = (): void => {};

  async function attempt(mine: number, failures: number): Promise<void> {
    try {
      const read = await load();
      if (mine === generation) onLoaded(read);
    } catch (error) {
      if (mine !== generation) return;
      logger.error('the code of live events did not come', error);
      cancelRetry = clock.after(retryWaitMs(failures, random), () => void attempt(mine, failures + 1));
    }
  }

  function stop(): void {
    generation += 1;
    cancelRetry();
  }

  return {
    start() {
      stop();
      void attempt(generation, 0);
    },
    stop,
  };
}
