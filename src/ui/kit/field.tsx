import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

/** The texts of every field: its name, a hint, and its error. */
export interface FieldWords {
  label: string;
  hint?: string | undefined;
  /** The error, with what to do about it. Null or absent without one. */
  error?: string | null | undefined;
  /** The mark of a field that may be left empty, such as "optional". Default: the field is required. */
  optional?: string | undefined;
}

/** The ids that connect a control with its label, its hint and its error. */
interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps extends FieldWords {
  /** An element at the right of the hint, such as a counter. */
  aside?: ReactNode;
  children(ids: ControlIds): ReactNode;
}

/**
 * Renders a control between its label and its texts. Screen readers announce an error when it appears, and again with
 * the control.
 */
export function Field({ label, hint, error, optional, aside, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const isWrong = typeof error === 'string' && error !== '';
  const described = [isWrong && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
  return (
    <div className={styles.field} data-wrong={isWrong || undefined}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional !== undefined && <small>{optional}</small>}
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
