import { Coins, Sparkles } from 'lucide-react';
import type { BillView } from '../../../call-billing.ts';
import { formatNumber } from '../../../../../core/i18n/format.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import styles from './billing-chip.module.css';

/** Shows the remaining coins, or the points earned so far. */
export function BillingChip({ bill }: { bill: BillView }) {
  return (
    <span className={styles.chip}>
      {bill.kind === 'pays' ? <Coins aria-hidden="true" size={14} /> : <Sparkles aria-hidden="true" size={14} />}
      {bill.kind === 'pays'
        ? m.billing_coins({ coins: formatNumber(bill.coinsLeft) })
        : m.billing_points({ points: formatNumber(bill.points) })}
    </span>
  );
}
