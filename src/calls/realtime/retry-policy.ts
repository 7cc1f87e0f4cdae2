/** When to try again (§9): pure answers to "the nth retry is due after how long?". */
import { LIMITS, TIMES } from '../../protocol/limits.ts';

/** `waitBefore(n)`: milliseconds to wait before retry n, the first being 0; null when there is no such retry. */
export interface RetryPolicy {
  waitBefore(retry: number): number | null;
}

/** Waits of 1, 2 and 3 s, then none: the schedule of requests. */
export const genericPolicy: RetryPolicy = {
  waitBefore: (retry) => TIMES.genericRetryMs[retry] ?? null,
};

/**
 * The realtime channel: 2 s, then 5, 10 and 20 s, then every 30 s for ever (D07). Each wait is longer by a random time, so
 * that the clients of an exchange that was restarted do not return all at once. A client in a call adds up to a fifth. Any
 * other adds up to 10 s, or up to the wait where that is longer (ADR 0024).
 *
 * @param random - a number from 0 up to 1.
 * @param isUrgent - tells whether a call waits; asked before each wait.
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
 * Waits of 2 s, each longer by up to 1 s at random, at most 10 times: the schedule of catching up. The noise keeps the
 * clients of an exchange that was restarted from asking all at once.
 */
export function fixedPolicy(random: () => number): RetryPolicy {
  return {
    waitBefore: (retry) =>
      retry < LIMITS.catchUpRetries ? TIMES.catchUpRetryMs + TIMES.catchUpRetryNoiseMs * random() : null,
  };
}

/** Offers and answers: the resend n is due 2500 + 1000 n ms after the one before; 12 sends in all. */
export const descriptionPolicy: RetryPolicy = {
  waitBefore: (retry) =>
    retry < LIMITS.descriptionSends - 1 ? TIMES.descriptionRetryInitialMs + retry * TIMES.descriptionRetryStepMs : null,
};
