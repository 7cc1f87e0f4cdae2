/**
 * The positions of moments on a line. A call takes milliseconds to set up and lasts minutes: moments keep their
 * order, and a wait takes space by its logarithm.
 */

export interface TimeAxis {
  /** Returns the position of a moment, in pixels from the left of the line. */
  x(at: number): number;
  /** The moments that have space for a label. */
  readonly ticks: readonly number[];
}

/** Creates an axis. @param moments - the moments, in any order. @param space - the width of a label, in pixels. */
export function timeAxis(moments: readonly number[], width: number, space: number): TimeAxis {
  const sorted = [...new Set([0, ...moments])].toSorted((a, b) => a - b);
  const last = sorted.at(-1) ?? 0;
  const steps = sorted.slice(1).map((at, index) => Math.log2(2 + at - (sorted[index] ?? 0)));
  const whole = steps.reduce((sum, step) => sum + step, 0) || 1;
  const places = [0];
  for (const step of steps) places.push((places.at(-1) ?? 0) + (step / whole) * width);
  const x = (at: number): number => {
    if (at >= last) return places.at(-1) ?? 0;
    const next = Math.max(
      1,
      sorted.findIndex((moment) => moment > at),
    );
    const [from, to] = [sorted[next - 1] ?? 0, sorted[next] ?? 0];
    const [left, right] = [places[next - 1] ?? 0, places[next] ?? 0];
    return left + ((Math.max(from, at) - from) / (to - from)) * (right - left);
  };
  const ticks: number[] = [];
  for (const at of sorted) {
    const isFree = ticks.every((tick) => x(at) - x(tick) >= space);
    const leavesSpace = at === last || width - x(at) >= space;
    if (isFree && leavesSpace) ticks.push(at);
  }
  return { x, ticks };
}
