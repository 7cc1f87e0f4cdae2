/** How far off a moment on the wall clock may be, by what this machine has shown that it can do. */

/** What one device does reaches the other by so many steps, each of which may be as late as the latest so far. */
const STEPS = 4;
/** A machine that is later than this carries no call in real time, milliseconds. */
const MOST_MS = 10_000;
/** Of the time that led to the moment: clocks and timers drift. */
const SHARE = 0.02;

/**
 * Returns how far off a moment may be, milliseconds.
 *
 * @param slackMs - how far off it may be on a machine with nothing else to do.
 * @param ms - the time that led to the moment.
 * @param lateMs - the longest that anything was late so far.
 */
export const toleranceOf = (slackMs: number, ms: number, lateMs: number): number =>
  slackMs + ms * SHARE + Math.min(MOST_MS, STEPS * lateMs);
