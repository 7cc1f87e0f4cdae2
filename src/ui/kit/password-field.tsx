import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { m } from '../../app/core/i18n/generated/messages.js';
import { IconButton } from './button.tsx';
import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

interface PasswordFieldProps extends FieldWords, FieldControl<string> {
  /** Whether the user enters the present password or chooses a new one. Password managers use it. */
  autoComplete: 'current-password' | 'new-password';
}

/** Renders a password field. The user can paste and show the password. */
export function PasswordField({ label, hint, error, optional, onChange, ...rest }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} optional={optional} optionalText={m.field_optional()}>
      {(ids) => (
        <div className={styles.withEnd}>
          <input
            {...ids}
            {...rest}
            type={isShown ? 'text' : 'password'}
            required={!optional}
            autoCapitalize="none"
            spellCheck={false}
            className={styles.control}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className={styles.end}>
            <IconButton
              label={m.password_show()}
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
