import { Check } from 'lucide-react';
import { formatNumber } from '../../app/core/i18n/format.ts';
import { m } from '../../app/core/i18n/generated/messages.js';
import styles from './progress-steps.module.css';

interface ProgressStepsProps {
  label: string;
  steps: readonly string[];
  /** The index of the current step, from 0. */
  present: number;
}

/** Shows the current step of several. */
export function ProgressSteps({ label, steps, present }: ProgressStepsProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === present ? 'step' : undefined}
          data-done={index < present || undefined}
          className={styles.step}
        >
          <span className={styles.mark} aria-hidden="true">
            {index < present ? <Check size={16} /> : formatNumber(index + 1)}
          </span>
          <span className={styles.name}>{step}</span>
          {index < present && <span className="visually-hidden">{m.step_done()}</span>}
        </li>
      ))}
    </ol>
  );
}
