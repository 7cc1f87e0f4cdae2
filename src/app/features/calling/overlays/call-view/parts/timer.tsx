import { formatDuration } from '../../../../../core/i18n/format.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import type { CallPhase } from '../call-view-model.ts';
import styles from './timer.module.css';

/** Shows the duration of a connected call. Screen readers do not announce its seconds. */
export function Timer({ phase }: { phase: CallPhase }) {
  if (phase.name !== 'connected' && phase.name !== 'reconnecting') return null;
  return (
    <span role="timer" aria-live="off" aria-label={m.call_timer()} className={styles.timer}>
      {formatDuration(phase.seconds)}
    </span>
  );
}
