import { type ReactNode, useEffect, useRef } from 'react';
import { focusOnceActive } from '../layers/focus-once-active.ts';
import styles from './state-card.module.css';

interface StateCardProps {
  icon: ReactNode;
  title: string;
  hint: string;
  children?: ReactNode;
  /** A failure is announced; an empty list is not. */
  role?: 'alert';
  /** It tells what came of what somebody has just done: its title has the focus. */
  isAnswer?: boolean;
  /** 1 where the card is the whole screen, 3 where it stands below a heading of a section. */
  level?: 1 | 2 | 3;
}

/** What stands in the place of content that is empty or did not load. */
export function StateCard({ icon, title, hint, children, role, isAnswer = false, level = 2 }: StateCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAnswer && heading.current !== null) focusOnceActive(heading.current, () => true);
  }, [isAnswer]);
  const Title = `h${level}` as const;
  return (
    <section className={styles.card} role={role}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <Title ref={heading} tabIndex={isAnswer ? -1 : undefined}>
        {title}
      </Title>
      <p>{hint}</p>
      {children}
    </section>
  );
}
