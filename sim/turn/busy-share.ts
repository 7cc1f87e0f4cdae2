import { performance } from 'node:perf_hooks';

/**
 * Returns the function that measures in which share of the time since its last call the event loop worked, 0 to 1.
 *
 * @param slept - returns for how long the event loop has slept by itself so far. Milliseconds. Node counts that as work.
 */
export function busyShareSinceLastCall(slept: () => number): () => number {
  let last = { ...performance.eventLoopUtilization(), slept: slept() };
  return () => {
    const now = { ...performance.eventLoopUtilization(), slept: slept() };
    const passed = now.active + now.idle - last.active - last.idle;
    const rested = now.idle - last.idle + now.slept - last.slept;
    last = now;
    return passed <= 0 ? 0 : Math.max(0, 1 - rested / passed);
  };
}
