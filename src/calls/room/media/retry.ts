import type { Clock, Timer } from '../../../common/clock.ts';
import { ROOM_LIMITS, ROOM_TIMES } from '../../../protocol/limits.ts';
import type { RetryPolicy } from '../../realtime/retry-policy.ts';

/** The schedule of the requests about an endpoint: 8 sends, the retry n 5000 + 1000 n ms after the former (§9). */
const attachPolicy: RetryPolicy = {
  waitBefore: (retry) =>
    retry < ROOM_LIMITS.attachSends - 1 ? ROOM_TIMES.attachRetryInitialMs + retry * ROOM_TIMES.attachRetryStepMs : null,
};

/** An operation that is repeated until it succeeds or is stopped. */
export interface Retry {
  stop(): void;
}

/**
 * Runs an operation at once. A failed one is repeated after the wait of {@link attachPolicy}, counted from its failure.
 *
 * @param gaveUp - runs after the last failure.
 */
export function startRetry(
  clock: Pick<Clock, 'after'>,
  operation: () => Promise<void>,
  gaveUp: (error: unknown) => void,
): Retry {
  let timer: Timer | null = null;
  let stopped = false;
  const attempt = (retry: number) => {
    operation().catch((error: unknown) => {
      if (stopped) return;
      const wait = attachPolicy.waitBefore(retry);
      if (wait === null) gaveUp(error);
      else timer = clock.after(wait, () => attempt(retry + 1));
    });
  };
  attempt(0);
  return {
    stop: () => {
      stopped = true;
      timer?.cancel();
    },
  };
}
