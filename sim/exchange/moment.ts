import type { Moment } from './calls/live-call.ts';
import type { Clock } from '../../src/common/clock.ts';

/** Returns the current time of both clocks. */
export const momentOf = (clock: Pick<Clock, 'wallTime' | 'now'>): Moment => ({
  at: clock.wallTime(),
  clock: clock.now(),
});

/** Returns the milliseconds between two moments of the same process, never below 0. */
export const lengthOf = (from: Moment, to: Moment): number => Math.max(0, Math.round(to.clock - from.clock));

/**
 * Returns the wall time of an end, milliseconds since the epoch. When the wall clock was set back meanwhile, it is the
 * start and the duration: no record ends before it began (I8).
 */
export const endOf = (from: Moment, to: Moment): number => Math.max(to.at, from.at + lengthOf(from, to));
