import type { Moment } from './calls/live-call.ts';
import type { Clock } from './ports.ts';

/** Now, on both clocks. */
export const momentOf = (clock: Pick<Clock, 'now' | 'monotonic'>): Moment => ({
  at: clock.now(),
  clock: clock.monotonic(),
});

/** Milliseconds from one moment to another of the same process, never below 0. */
export const lengthOf = (from: Moment, to: Moment): number => Math.max(0, Math.round(to.clock - from.clock));

/**
 * The wall time at which what began at one moment ended at another, milliseconds since the epoch. Where the wall clock was set back
 * meanwhile, it is the start and the length: no record ends before it began (I8).
 */
export const endOf = (from: Moment, to: Moment): number => Math.max(to.at, from.at + lengthOf(from, to));
