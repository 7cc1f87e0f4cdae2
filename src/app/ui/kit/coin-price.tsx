import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import styles from './coin-price.module.css';

/** Coins a minute. The coin is drawn, the words are for those who do not see it. */
export function CoinPrice({ price }: { price: number }) {
  return (
    <span className={styles.price}>
      <span className={styles.coin} aria-hidden="true" />
      <span aria-hidden="true">{m.price_unit({ price: formatNumber(price) })}</span>
      <span className="visually-hidden">{m.person_price({ price: formatNumber(price) })}</span>
    </span>
  );
}
