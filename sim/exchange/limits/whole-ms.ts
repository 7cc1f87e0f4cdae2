import type { Clock } from '../../../src/common/clock.ts';

/**
 * Returns the monotonic time in whole milliseconds, rounded down. It is for times that are kept for each device or
 * token. V8 needs an object for a number with a fraction. It needs none for a whole number below 2^31, which are 24 days.
 */
export const wholeMs = (clock: Pick<Clock, 'now'>): number => Math.floor(clock.now());
