import styles from './meter.module.css';

interface MeterProps {
  label: string;
  value: number;
  max: number;
  /** The value in words, shown at the right. */
  text: string;
}

/** How much of something there is: of the way to the next tier, of a limit. */
export function Meter({ label, value, max, text }: MeterProps) {
  return (
    <div className={styles.meter}>
      <span aria-hidden="true">{label}</span>
      <span aria-hidden="true">{text}</span>
      <meter aria-label={label} aria-valuetext={text} min={0} max={max} value={value} />
    </div>
  );
}
