import type { ReactNode } from 'react';
import styles from './status-chip.module.css';

interface StatusChipProps {
  /** `good` came to its end, `waiting` goes on, `bad` failed or was refused, `calm` is neither. */
  tone: 'good' | 'waiting' | 'bad' | 'calm';
  /** Beside the words, which alone must say it. */
  icon?: ReactNode;
  children: ReactNode;
}

/** How something stands: a deposit, a redemption, a photo. */
export function StatusChip({ tone, icon, children }: StatusChipProps) {
  return (
    <span className={styles.chip} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}
