import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

interface OtpFieldProps extends FieldWords, FieldControl<string> {
  digits?: number;
  /** Called with the code as soon as it is complete. */
  onWhole?(code: string): void;
}

/** Renders a field for a code. It is one input, so that the user can paste the code and the device can fill it in. */
export function OtpField({ label, hint, error, digits = 6, onChange, onWhole, ...rest }: OtpFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          {...rest}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          className={`${styles.control} ${styles.code}`}
          onChange={(event) => {
            // Pasted codes may contain spaces, dashes and full-width digits.
            const code = event.target.value.normalize('NFKC').replaceAll(/\D/g, '').slice(0, digits);
            onChange(code);
            if (code.length === digits && code !== rest.value) onWhole?.(code);
          }}
        />
      )}
    </Field>
  );
}
