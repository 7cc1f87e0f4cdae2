import type { ReactNode } from 'react';
import styles from './stat-card.module.css';

interface StatCardProps {
  label: string;
  value: ReactNode;
  hint?: ReactNode;
}

/** Shows one figure and its label. Several belong into a `<dl>`. */
export function StatCard({ label, value, hint }: StatCardProps) {
  return (
    <div className={styles.card}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {hint !== undefined && <dd className={styles.hint}>{hint}</dd>}
    </div>
  );
}
