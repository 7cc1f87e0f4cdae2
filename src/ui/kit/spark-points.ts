/** The size of the drawing, in its own units. */
export const SPARK = { width: 100, height: 40 } as const;
/** A margin, so that the edge does not cut off the line. */
const MARGIN = 2;

/**
 * Returns the points of a line from left to right, with the highest value at the top. Without values above 0 the line
 * is flat at the bottom.
 */
export function sparkPoints(values: readonly number[]): string {
  const most = Math.max(0, ...values);
  const [low, high] = [SPARK.height - MARGIN, MARGIN];
  const step = SPARK.width / Math.max(1, values.length - 1);
  return values
    .map((value, at) => {
      const share = most === 0 ? 0 : Math.max(0, value) / most;
      return `${round(at * step)},${round(low - share * (low - high))}`;
    })
    .join(' ');
}

const round = (number: number): number => Math.round(number * 10) / 10;
