import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from './list-row.module.css';

interface ListRowProps {
  /** The element at the left: an avatar or an icon. */
  start?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  /** The element at the right: an amount, a time, a status. */
  end?: ReactNode;
  /** The target of the link, or else the action of the button. Without either the row is only text. */
  to?: string;
  onPress?(): void;
}

/** Renders one row of a list. It belongs into an `<li>`. */
export function ListRow({ start, title, detail, end, to, onPress }: ListRowProps) {
  const inside = (
    <>
      {start}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </>
  );
  if (to !== undefined) {
    return (
      <Link to={to} className={styles.row}>
        {inside}
      </Link>
    );
  }
  if (onPress !== undefined) {
    return (
      <button type="button" className={styles.row} onClick={onPress}>
        {inside}
      </button>
    );
  }
  return <div className={styles.row}>{inside}</div>;
}
