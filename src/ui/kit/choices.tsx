import { type ReactNode, useId } from 'react';
import styles from './choices.module.css';

interface TickProps {
  label: ReactNode;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
}

/** Renders a switch that takes effect at once. A disabled switch can still be focused. */
export function Switch({ label, hint, checked, disabled, onChange }: TickProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <span className={styles.words}>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      </span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={styles.switch}
        checked={checked}
        aria-disabled={disabled || undefined}
        onChange={(event) => {
          if (!disabled) onChange(event.target.checked);
        }}
      />
    </div>
  );
}

interface CheckboxProps extends TickProps {
  name?: string;
  error?: string | null | undefined;
}

/** Renders a checkbox that takes effect when the form is sent. The label may contain links. */
export function Checkbox({ label, hint, error, checked, disabled, name, onChange }: CheckboxProps) {
  const id = useId();
  const isWrong = typeof error === 'string' && error !== '';
  const described = [isWrong && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        name={name}
        aria-invalid={isWrong || undefined}
        aria-describedby={described || undefined}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.words}>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
        <small id={`${id}-error`} className={styles.error} aria-live="polite">
          {isWrong && error}
        </small>
      </span>
    </div>
  );
}

interface RadioCardsProps<T extends string> {
  label: string;
  options: readonly { value: T; text: string; hint?: string; mark?: ReactNode; disabled?: boolean }[];
  value: NoInfer<T> | null;
  error?: string | null | undefined;
  onChange(value: T): void;
}

/** Renders a choice of one of a few cards: packs, payment methods, kinds of documents. */
export function RadioCards<T extends string>({ label, options, value, error, onChange }: RadioCardsProps<T>) {
  const name = useId();
  const isWrong = typeof error === 'string' && error !== '';
  return (
    <fieldset
      className={styles.group}
      data-wrong={isWrong || undefined}
      aria-describedby={isWrong ? `${name}-error` : undefined}
    >
      <legend>{label}</legend>
      <div className={styles.cards}>
        {options.map((option) => (
          <label key={option.value} className={styles.card}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span className={styles.words}>
              <span>{option.text}</span>
              {option.hint !== undefined && <small>{option.hint}</small>}
            </span>
            {option.mark}
          </label>
        ))}
      </div>
      <p id={`${name}-error`} className={styles.error} aria-live="polite">
        {isWrong && error}
      </p>
    </fieldset>
  );
}

interface ChipsProps<T extends string> {
  label: string;
  options: readonly { value: T; text: string }[];
  chosen: readonly T[];
  /** The highest number of chosen options. The others are then disabled. Default: no limit. */
  most?: number;
  onChange(chosen: readonly T[]): void;
}

/** Renders a choice of any of several options: tags, filters, languages. */
export function Chips<T extends string>({ label, options, chosen, most = Infinity, onChange }: ChipsProps<T>) {
  return (
    <div role="group" aria-label={label} className={styles.chips}>
      {options.map(({ value, text }) => {
        const isChosen = chosen.includes(value);
        return (
          <button
            key={value}
            type="button"
            className={styles.chip}
            aria-pressed={isChosen}
            disabled={!isChosen && chosen.length >= most}
            onClick={() => onChange(isChosen ? chosen.filter((other) => other !== value) : [...chosen, value])}
          >
            {text}
          </button>
        );
      })}
    </div>
  );
}

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** The value as text: "40 coins". It is shown, and read by screen readers. */
  text: string;
  onChange(value: number): void;
}

/** Renders a slider, for values that need no precision. */
export function Slider({ label, value, min, max, step = 1, text, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className={styles.slider}>
      <span className={styles.scale}>
        <label htmlFor={id}>{label}</label>
        <output htmlFor={id}>{text}</output>
      </span>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </div>
  );
}
