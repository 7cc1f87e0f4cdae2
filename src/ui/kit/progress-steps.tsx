import { Check } from 'lucide-react';
import styles from './progress-steps.module.css';

interface ProgressStepsProps {
  label: string;
  steps: readonly string[];
  /** The index of the current step, from 0. */
  present: number;
  /** The text of a completed step for screen readers. */
  doneText: string;
}

/** Shows the current step of several. */
export function ProgressSteps({ label, steps, present, doneText }: ProgressStepsProps) {
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
            {index < present ? <Check size={16} /> : index + 1}
          </span>
          <span className={styles.name}>{step}</span>
          {index < present && <span className="visually-hidden">{doneText}</span>}
        </li>
      ))}
    </ol>
  );
}
