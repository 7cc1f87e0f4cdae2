import type { ReactNode } from 'react';
import styles from './skeleton.module.css';

/** Renders a placeholder for content that is loading, in its exact size. */
export function Skeleton({ className = '' }: { className?: string | undefined }) {
  return <span className={`${styles.skeleton} ${className}`} aria-hidden="true" />;
}

/** Renders an invisible copy of `children` as a placeholder in their size. Users cannot see or reach the copy. */
export function Outline({ children }: { children: ReactNode }) {
  return (
    <div className={`${styles.skeleton} ${styles.outline}`} inert>
      <div>{children}</div>
    </div>
  );
}
