import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Field, type FieldWords } from '../../../ui/kit/field.tsx';
import styles from '../../../ui/kit/field.module.css';
import type { FieldControl } from '../../../ui/kit/text-field.tsx';

interface TextAreaProps extends FieldWords, FieldControl<string> {
  /**
   * The maximum number of characters. Longer text can be typed and shows an error, because text that is cut off
   * silently is lost.
   */
  most: number;
  placeholder?: string;
}

/** Renders a field for several lines of text, with a counter. */
export function TextArea({ label, hint, error, optional, most, value, onChange, ...rest }: TextAreaProps) {
  const length = Array.from(value).length;
  const counter = (
    <span className={styles.counter} data-over={length > most || undefined}>
      <span aria-hidden="true">{m.field_counter({ length: formatNumber(length), most: formatNumber(most) })}</span>
      <span className="visually-hidden">{m.field_counter_read({ left: formatNumber(most - length) })}</span>
    </span>
  );
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      optionalText={m.field_optional()}
      aside={counter}
    >
      {(ids) => (
        <textarea
          {...ids}
          {...rest}
          value={value}
          required={!optional}
          className={styles.control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
