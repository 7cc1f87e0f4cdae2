import { Minus, Plus } from 'lucide-react';
import { IconButton } from './button.tsx';
import { Field, type FieldWords } from './field.tsx';
import styles from './field.module.css';
import type { FieldControl } from './text-field.tsx';

interface NumberFieldProps extends FieldWords, FieldControl<number | null> {
  min: number;
  max: number;
  step?: number;
  /** The names of the buttons that change the number by a step. */
  lessLabel: string;
  moreLabel: string;
}

/**
 * Renders a field for a whole number between two bounds, typed or changed in steps. The value is null without a number.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, hint, error, optional, value, min, max, step = 1, lessLabel, moreLabel, onChange, ...rest } = props;
  const stepped = (by: number): void => onChange(Math.min(max, Math.max(min, (value ?? min) + by)));
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <div className={styles.stepper}>
          <IconButton
            label={lessLabel}
            icon={<Minus aria-hidden="true" />}
            disabled={value !== null && value <= min}
            onClick={() => stepped(-step)}
          />
          <input
            {...ids}
            {...rest}
            type="number"
            inputMode="numeric"
            min={min}
            max={max}
            step={step}
            required={optional === undefined}
            value={value ?? ''}
            className={styles.control}
            onChange={(event) => onChange(Number.isNaN(event.target.valueAsNumber) ? null : event.target.valueAsNumber)}
          />
          <IconButton
            label={moreLabel}
            icon={<Plus aria-hidden="true" />}
            disabled={value !== null && value >= max}
            onClick={() => stepped(step)}
          />
        </div>
      )}
    </Field>
  );
}
