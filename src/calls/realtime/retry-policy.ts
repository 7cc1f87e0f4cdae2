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
 * The realtime channel: 2 s, then 5, 10 and 20 s, then every 30 s for ever (D07). Each wait is longer by up to a fifth,
 * at random, so that the clients of an exchange that was restarted do not all come back at once.
 */
export function channelPolicy(random: () => number): RetryPolicy {
  const waits = [TIMES.channelRetryMs, ...TIMES.channelBackoffMs];
  return {
    waitBefore: (retry) => {
      const wait = waits[Math.min(retry, waits.length - 1)] ?? TIMES.channelRetryMs;
      return wait * (1 + TIMES.channelBackoffNoise * random());
    },
  };
}

/** A fixed interval plus up to `noiseMs` at random, at most `max` times. */
export function fixedPolicy(
  { intervalMs, noiseMs, max }: { intervalMs: number; noiseMs: number; max: number },
  random: () => number,
): RetryPolicy {
  return { waitBefore: (retry) => (retry < max ? intervalMs + noiseMs * random() : null) };
}

/** Offers and answers: the resend n is due 2500 + 1000 n ms after the one before; 12 sends in all. */
export const descriptionPolicy: RetryPolicy = {
  waitBefore: (retry) =>
    retry < LIMITS.descriptionSends - 1 ? TIMES.descriptionRetryInitialMs + retry * TIMES.descriptionRetryStepMs : null,
};
