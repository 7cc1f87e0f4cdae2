import { type ReactNode, useEffect, useRef } from 'react';
import { focusOnceActive } from '../layers/focus.ts';
import styles from './state-card.module.css';

interface StateCardProps {
  icon: ReactNode;
  title: string;
  hint: string;
  children?: ReactNode;
  /** `alert` announces a failure. Default: none, as for an empty list. */
  role?: 'alert';
  /** Whether the card shows the result of the user's last action. Its title then gets the focus. Default: false. */
  isAnswer?: boolean;
  /** The level of the heading: 1 when the card is the whole screen, 3 below a heading of a section. Default: 2. */
  level?: 1 | 2 | 3;
}

/** Shows a card instead of content that is empty or did not load. */
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
