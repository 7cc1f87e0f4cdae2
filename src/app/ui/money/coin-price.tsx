import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import styles from './coin-price.module.css';

/** Shows a price in coins a minute. The icon is drawn; the text is for screen readers. */
export function CoinPrice({ price }: { price: number }) {
  return (
    <span className={styles.price}>
      <span className={styles.coin} aria-hidden="true" />
      <span aria-hidden="true">{m.price_unit({ price: formatNumber(price) })}</span>
      <span className="visually-hidden">{m.person_price({ price: formatNumber(price) })}</span>
    </span>
  );
}
