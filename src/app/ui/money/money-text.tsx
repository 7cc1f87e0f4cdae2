import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import styles from './money-text.module.css';

interface MoneyTextProps {
  /** The amount in whole units. A negative amount was spent. */
  amount: number;
  unit: 'coins' | 'points' | 'twd';
  /** Whether a positive amount has a plus sign, for changes. Default: false. */
  signed?: boolean;
}

const words = {
  coins: m.coins_amount,
  points: m.points_amount,
  twd: m.money_amount,
} as const;

/** Shows an amount in digits of equal width, so that columns align. */
export function MoneyText({ amount, unit, signed = false }: MoneyTextProps) {
  const sign = amount < 0 ? '−' : signed && amount > 0 ? '+' : '';
  return (
    <span className={styles.money} data-unit={unit} data-in={(signed && amount > 0) || undefined}>
      {sign}
      {words[unit]({ amount: formatNumber(Math.abs(amount)) })}
    </span>
  );
}
