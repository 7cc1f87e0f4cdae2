import { type HTMLInputAutoCompleteAttribute, type InputHTMLAttributes, useId } from 'react';
import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';

/** The props that connect a field with a form: see `useForm`. */
export interface FieldControl<T> {
  name?: string;
  value: T;
  onChange(value: T): void;
  onBlur?(): void;
}

interface TextFieldProps extends FieldWords, FieldControl<string> {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
  maxLength?: number;
  placeholder?: string;
  disabled?: boolean;
  /** Suggestions. The user may also type another text. Default: none. */
  suggestions?: readonly string[];
}

/** Renders a field for one line of text. */
export function TextField({
  label,
  hint,
  error,
  optional,
  suggestions,
  onChange,
  type = 'text',
  ...rest
}: TextFieldProps) {
  const list = useId();
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <>
          <input
            {...ids}
            {...rest}
            type={type}
            list={suggestions && list}
            required={optional === undefined}
            className={styles.control}
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions && (
            <datalist id={list}>
              {suggestions.map((suggestion) => (
                <option key={suggestion}>{suggestion}</option>
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}
