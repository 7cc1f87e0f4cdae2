/** The tolerance of a moment on the wall clock, based on the measured lateness of this machine. */

/** The number of steps between two devices. Each step may be as late as the latest so far. */
const STEPS = 4;
/** A machine with more lateness than this carries no call in real time, milliseconds. */
const MOST_MS = 10_000;
/** The share of the time before the moment, because clocks and timers drift. */
const SHARE = 0.02;

/**
 * Returns the tolerance of a moment, milliseconds.
 *
 * @param slackMs - the tolerance on an idle machine.
 * @param ms - the time before the moment.
 * @param lateMs - the maximum lateness so far.
 */
export const toleranceOf = (slackMs: number, ms: number, lateMs: number): number =>
  slackMs + ms * SHARE + Math.min(MOST_MS, STEPS * lateMs);
