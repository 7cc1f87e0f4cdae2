/** Tells whether a picture differs from the one before, by the luma of a few of its points. Pure. */

/** Points looked at: so many across, and so many down. */
const ACROSS = 16;
const DOWN = 12;
/** A point has changed when its luma did by this much: less is the noise of an encoder. */
const CHANGE = 6;

/** Returns what looks at one picture after the other (I420 or luma alone), and says whether it has moved. */
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
