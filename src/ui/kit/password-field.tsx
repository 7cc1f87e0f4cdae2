import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

interface PasswordFieldProps extends FieldWords, FieldControl<string> {
  /** Whether the user enters the present password or chooses a new one. Password managers use it. */
  autoComplete: 'current-password' | 'new-password';
  /** The name of the button that shows the password. */
  showLabel: string;
}

/** Renders a password field. The user can paste and show the password. */
export function PasswordField({ label, hint, error, optional, showLabel, onChange, ...rest }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <div className={styles.withEnd}>
          <input
            {...ids}
            {...rest}
            type={isShown ? 'text' : 'password'}
            required={optional === undefined}
            autoCapitalize="none"
            spellCheck={false}
            className={styles.control}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className={styles.end}>
            <IconButton
              label={showLabel}
              aria-pressed={isShown}
              icon={isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
              onClick={() => setIsShown(!isShown)}
            />
          </span>
        </div>
      )}
    </Field>
  );
}
