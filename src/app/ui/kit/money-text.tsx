import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import styles from './money-text.module.css';

interface MoneyTextProps {
  /** Whole units; below zero is what went out. */
  amount: number;
  unit: 'coins' | 'points' | 'twd';
  /** For changes: a plus before what came in. */
  signed?: boolean;
}

const words = {
  coins: m.coins_amount,
  points: m.points_amount,
  twd: m.money_amount,
} as const;

/** An amount, in figures of one width, so that columns stand. */
export function MoneyText({ amount, unit, signed = false }: MoneyTextProps) {
  const sign = amount < 0 ? '−' : signed && amount > 0 ? '+' : '';
  return (
    <span className={styles.money} data-unit={unit} data-in={(signed && amount > 0) || undefined}>
      {sign}
      {words[unit]({ amount: formatNumber(Math.abs(amount)) })}
    </span>
  );
}
