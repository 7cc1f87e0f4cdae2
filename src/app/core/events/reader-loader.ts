import type { Clock, Timer } from '../../../common/clock.ts';
import type { Logger } from '../ports/ports.ts';
import { retryWaitMs } from '../../../common/retry-wait.ts';
import type { ReadEvent } from './event-client.ts';

/** A loader of the code that parses live events. The page of a visitor does not need that code. */
export interface ReaderLoader {
  /** Loads the code. Retries with backoff when the load fails. */
  start(): void;
  /** Ignores a load that is under way and cancels its next retry. */
  stop(): void;
}

interface Dependencies {
  load(): Promise<ReadEvent>;
  onLoaded(read: ReadEvent): void;
  clock: Pick<Clock, 'after'>;
  random(): number;
  logger: Logger;
}

/** Creates the loader. The caller starts it. */
export function createReaderLoader({ load, onLoaded, clock, random, logger }: Dependencies): ReaderLoader {
  /** A counter of starts and stops. A load that began under another value is ignored. */
  let generation = 0;
  let retry: Timer | undefined;

  async function attempt(mine: number, failures: number): Promise<void> {
    try {
      const read = await load();
      if (mine === generation) onLoaded(read);
    } catch (error) {
      if (mine !== generation) return;
      logger.error('the code of live events could not be loaded', error);
      retry = clock.after(retryWaitMs(failures, random), () => void attempt(mine, failures + 1));
    }
  }

  function stop(): void {
    generation += 1;
    retry?.cancel();
  }

  return {
    start() {
      stop();
      void attempt(generation, 0);
    },
    stop,
  };
}
