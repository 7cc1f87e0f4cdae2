import styles from './meter.module.css';

interface MeterProps {
  label: string;
  value: number;
  max: number;
  /** The value as text, shown at the right. */
  text: string;
}

/** Shows a value as a part of a maximum: the way to the next tier, or a limit. */
export function Meter({ label, value, max, text }: MeterProps) {
  return (
    <div className={styles.meter}>
      <span aria-hidden="true">{label}</span>
      <span aria-hidden="true">{text}</span>
      <meter aria-label={label} aria-valuetext={text} min={0} max={max} value={value} />
    </div>
  );
}
