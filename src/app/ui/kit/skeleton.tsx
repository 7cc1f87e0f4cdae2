import type { ReactNode } from 'react';
import styles from './skeleton.module.css';

/** The place of a thing to come, of its very size. */
export function Skeleton({ className = '' }: { className?: string | undefined }) {
  return <span className={`${styles.skeleton} ${className}`} aria-hidden="true" />;
}

/** The place of a thing to come, of the size of `children`: the like of it, which nobody sees or reaches. */
export function Outline({ children }: { children: ReactNode }) {
  return (
    <div className={`${styles.skeleton} ${styles.outline}`} inert>
      <div>{children}</div>
    </div>
  );
}
