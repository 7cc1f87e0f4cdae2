import styles from './sparkline.module.css';

/** The size of the drawing, in its own units. */
const SPARK = { width: 100, height: 40 } as const;
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

/** Shows the course of a figure as a small line. The link beside it leads to the details. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const line = sparkPoints(values);
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={`0,${SPARK.height} ${line} ${SPARK.width},${SPARK.height}`} />
      <polyline points={line} />
    </svg>
  );
}
