import { useId } from 'react';
import styles from './segments.module.css';

interface SegmentsProps<T extends string> {
  label: string;
  /** Whether the label is visible. Screen readers always read it. Default: true. */
  showLabel?: boolean;
  options: readonly { value: T; text: string; lang?: string }[];
  value: T;
  onChange(value: T): void;
}

/** Renders a choice of one of a few options: radio buttons that look like one control. */
export function Segments<T extends string>({ label, showLabel = true, options, value, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={showLabel ? undefined : 'visually-hidden'}>{label}</legend>
      <div className={styles.track}>
        {options.map((option) => (
          <label key={option.value} className={styles.segment} lang={option.lang}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
