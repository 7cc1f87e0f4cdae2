import styles from './skeleton.module.css';

/** The place of a thing to come, of its very size. */
export function Skeleton({ className = '' }: { className?: string | undefined }) {
  return <span className={`${styles.skeleton} ${className}`} aria-hidden="true" />;
}
