import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

/** The props of a field for several lines. */
export interface TextAreaProps extends FieldWords, FieldControl<string> {
  /**
   * The maximum number of characters. Longer text can be typed and shows an error, because text that is cut off
   * silently is lost.
   */
  most: number;
  placeholder?: string;
  /** Returns the counter that users see. */
  counterText(length: number, most: number): string;
  /** Returns the counter that screen readers read. The number is below 0 for a text that is too long. */
  leftText(left: number): string;
}

/** Renders a field for several lines of text, with a counter. */
export function TextArea(props: TextAreaProps) {
  const { label, hint, error, optional, most, value, counterText, leftText, onChange, ...rest } = props;
  const length = Array.from(value).length;
  const counter = (
    <span className={styles.counter} data-over={length > most || undefined}>
      <span aria-hidden="true">{counterText(length, most)}</span>
      <span className="visually-hidden">{leftText(most - length)}</span>
    </span>
  );
  return (
    <Field label={label} hint={hint} error={error} optional={optional} aside={counter}>
      {(ids) => (
        <textarea
          {...ids}
          {...rest}
          value={value}
          required={optional === undefined}
          className={styles.control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
