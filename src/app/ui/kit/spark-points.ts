export const SPARK = { width: 100, height: 40 } as const;
/** A line is not cut off at the edge. */
const MARGIN = 2;

/** The corners of a line from the left to the right, the highest value at the top; flat at the bottom where there is nothing. */
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
