import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import styles from './transactions.module.css';

/** Renders the placeholders of rows. */
export function RowsLoading() {
  return (
    <div className={styles.loading}>
      {Array.from({ length: 6 }, (_, at) => (
        <Skeleton key={at} className={styles.row} />
      ))}
    </div>
  );
}
