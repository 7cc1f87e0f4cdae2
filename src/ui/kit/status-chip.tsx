import type { ReactNode } from 'react';
import styles from './status-chip.module.css';

interface StatusChipProps {
  /** The tone: `good` is complete, `waiting` continues, `bad` failed or was refused, `calm` is neutral. */
  tone: 'good' | 'waiting' | 'bad' | 'calm';
  /** An icon beside the text. The text alone must state the status. */
  icon?: ReactNode;
  children: ReactNode;
}

/** Shows a status as text, with a tone. */
export function StatusChip({ tone, icon, children }: StatusChipProps) {
  return (
    <span className={styles.chip} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}
