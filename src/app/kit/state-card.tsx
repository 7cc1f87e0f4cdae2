import type { ReactNode } from 'react';
import styles from './state-card.module.css';

interface StateCardProps {
  icon: ReactNode;
  title: string;
  hint: string;
  children?: ReactNode;
  /** A failure is announced; an empty list is not. */
  role?: 'alert';
  /** 1 where the card is the whole screen. */
  level?: 1 | 2;
}

/** What stands in the place of content that is empty or did not load. */
export function StateCard({ icon, title, hint, children, role, level = 2 }: StateCardProps) {
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <section className={styles.card} role={role}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <Title>{title}</Title>
      <p>{hint}</p>
      {children}
    </section>
  );
}
