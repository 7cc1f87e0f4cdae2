const FIRST_SPAN_MS = 10_000;
const LAST_SPAN_MS = 60_000;
/** The shortest wait in milliseconds. A retry never follows at once. */
const LEAST_MS = 500;

/**
 * Returns how long to wait before a retry, in milliseconds. The wait is random over a span (full jitter). So the pages
 * of a restarted server reconnect over ten seconds instead of at once. The span doubles with each failure, from 10 s to
 * 60 s.
 *
 * @param failures - how many tries failed before, 0 for the first retry.
 */
export function retryWaitMs(failures: number, random: () => number): number {
  const span = Math.min(LAST_SPAN_MS, FIRST_SPAN_MS * 2 ** failures);
  return LEAST_MS + random() * (span - LEAST_MS);
}
