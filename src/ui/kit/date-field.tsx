import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

interface DateFieldProps extends FieldWords, FieldControl<string> {
  /** The first and the last day that are allowed, as `2026-11-21`. Default: no limit. */
  min?: string;
  max?: string;
  autoComplete?: 'bday';
  disabled?: boolean;
}

/** Renders a field for a day, as `2026-11-21`. The value is empty without a day. */
export function DateField({ label, hint, error, optional, onChange, ...rest }: DateFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <input
          {...ids}
          {...rest}
          type="date"
          required={optional === undefined}
          className={styles.control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
