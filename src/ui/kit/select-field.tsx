import { ChevronDown } from 'lucide-react';
import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

interface SelectFieldProps<T extends string> extends FieldWords, FieldControl<T | ''> {
  options: readonly { value: T; text: string }[];
  disabled?: boolean;
}

/** The text that is shown without a chosen option: of a valid choice, or of the request to choose one. */
type EmptyChoice = { none: string; prompt?: undefined } | { none?: undefined; prompt: string };

/** Renders a choice of one of many options, with the list of the platform. */
export function SelectField<T extends string>(props: SelectFieldProps<T> & EmptyChoice) {
  const { label, hint, error, optional, options, none, prompt, onChange, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <div className={styles.withEnd}>
          <select
            {...ids}
            {...rest}
            required={optional === undefined && none === undefined}
            className={styles.control}
            onChange={(event) => onChange(options[event.target.selectedIndex - 1]?.value ?? '')}
          >
            <option value="">{none ?? prompt}</option>
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
