import { ChevronDown } from 'lucide-react';
import { m } from '../../app/core/i18n/generated/messages.js';
import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

interface SelectFieldProps<T extends string> extends FieldWords, FieldControl<T | ''> {
  options: readonly { value: T; text: string }[];
  /** The text of the choice of no option. Default: an option must be chosen. */
  none?: string | undefined;
  disabled?: boolean;
}

/** Renders a choice of one of many options, with the list of the platform. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, hint, error, optional, options, none, onChange, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} optional={optional} optionalText={m.field_optional()}>
      {(ids) => (
        <div className={styles.withEnd}>
          <select
            {...ids}
            {...rest}
            required={!optional && none === undefined}
            className={styles.control}
            onChange={(event) => onChange(options[event.target.selectedIndex - 1]?.value ?? '')}
          >
            <option value="">{none ?? m.field_choose()}</option>
            {options.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <span className={styles.mark} aria-hidden="true">
            <ChevronDown size={18} />
          </span>
        </div>
      )}
    </Field>
  );
}
