/** The retry policies (§9): pure functions that return the wait before a retry. */
import { LIMITS, TIMES } from '../../protocol/limits.ts';

/**
 * A retry policy. `waitBefore(n)` returns the milliseconds before retry n, the first being 0. Null without such a
 * retry.
 */
export interface RetryPolicy {
  waitBefore(retry: number): number | null;
}

/** The schedule of requests: waits of 1, 2 and 3 s, then none. */
export const genericPolicy: RetryPolicy = {
  waitBefore: (retry) => TIMES.genericRetryMs[retry] ?? null,
};

/**
 * Returns the schedule of the realtime channel: 2 s, then 5, 10 and 20 s, then every 30 s for ever (D07). A random time
 * is added to each wait, so that the clients of a restarted exchange do not reconnect all at once. A client in a call
 * adds up to a fifth. Any other adds up to 10 s, or up to the wait if that is longer (ADR 0024).
 *
 * @param random - returns a number from 0 up to 1.
 * @param isUrgent - returns whether a call waits. It is read before each wait.
 */
export function channelPolicy(random: () => number, isUrgent: () => boolean): RetryPolicy {
  const waits = [TIMES.channelRetryMs, ...TIMES.channelBackoffMs];
  return {
    waitBefore: (retry) => {
      const wait = waits[Math.min(retry, waits.length - 1)] ?? TIMES.channelRetryMs;
      const spread = isUrgent() ? wait * TIMES.channelBackoffNoise : Math.max(wait, TIMES.channelSpreadMs);
      return wait + spread * random();
    },
  };
}

/**
 * Returns the schedule of the catch-up: waits of 2 s, each with up to 1 s added at random, at most 10 times. The random
 * part keeps the clients of a restarted exchange from sending all at once.
 */
export function fixedPolicy(random: () => number): RetryPolicy {
  return {
    waitBefore: (retry) =>
      retry < LIMITS.catchUpRetries ? TIMES.catchUpRetryMs + TIMES.catchUpRetryNoiseMs * random() : null,
  };
}

/**
 * The schedule of offers and answers: the resend n is due 2500 + 1000 n ms after the former one, with 12 sends in all.
 */
export const descriptionPolicy: RetryPolicy = {
  waitBefore: (retry) =>
    retry < LIMITS.descriptionSends - 1 ? TIMES.descriptionRetryInitialMs + retry * TIMES.descriptionRetryStepMs : null,
};
