import styles from './sparkline.module.css';
import { SPARK, sparkPoints } from './spark-points.ts';

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
