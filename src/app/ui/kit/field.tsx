import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

/** What every field has: its name, what helps to fill it in, and what is wrong with it. */
export interface FieldWords {
  label: string;
  hint?: string | undefined;
  /** What is wrong, in words that say how to mend it. */
  error?: string | null | undefined;
  /** Marks a field that may be left empty; the others must not be. */
  optional?: boolean | undefined;
}

/** What ties a control to its label, its hint and its error. */
interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps extends FieldWords {
  optionalText: string;
  /** At the right of the hint: a counter. */
  aside?: ReactNode;
  children(ids: ControlIds): ReactNode;
}

/** A control between its label and its words. An error is read out when it comes, and again with the control. */
export function Field({ label, hint, error, optional, optionalText, aside, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const isWrong = typeof error === 'string' && error !== '';
  const described = [isWrong && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
  return (
    <div className={styles.field} data-wrong={isWrong || undefined}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional && <small>{optionalText}</small>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': isWrong || undefined })}
      <div className={styles.below}>
        <p id={errorId} className={styles.error} aria-live="polite">
          {isWrong && (
            <>
              <CircleAlert aria-hidden="true" size={16} />
              {error}
            </>
          )}
        </p>
        {hint !== undefined && (
          <p id={hintId} className={styles.hint}>
            {hint}
          </p>
        )}
        {aside}
      </div>
    </div>
  );
}
