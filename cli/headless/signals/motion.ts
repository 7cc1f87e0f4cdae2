/** Detects whether a picture differs from the previous one, by the luma of some points. Pure. */

/** The number of sampled points across and down. */
const ACROSS = 16;
const DOWN = 12;
/** A point has changed when its luma changed by this much. A smaller change is the noise of an encoder. */
const CHANGE = 6;

/**
 * Returns a function that compares each picture (I420 or luma alone) with the previous one. It returns true for motion.
 */
export function createMotionSense(): (luma: ArrayLike<number>, width: number, height: number) => boolean {
  let before: number[] | null = null;
  return (luma, width, height) => {
    const points = Array.from({ length: ACROSS * DOWN }, (_, at) => {
      const x = Math.floor((((at % ACROSS) + 0.5) * width) / ACROSS);
      const y = Math.floor(((Math.floor(at / ACROSS) + 0.5) * height) / DOWN);
      return luma[y * width + x] ?? 0;
    });
    const hasMoved = before?.some((point, at) => Math.abs(point - (points[at] ?? 0)) >= CHANGE) ?? false;
    before = points;
    return hasMoved;
  };
}
