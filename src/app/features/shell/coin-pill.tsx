import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { useFrameCounts } from './frame-counts.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import { Link } from 'react-router-dom';
import styles from './coin-pill.module.css';

/** Shows a man's coins, with a link to buy more. Renders nothing until the number is known. */
export function CoinPill() {
  const counts = useFrameCounts();
  const { coins } = useStore(counts);
  if (coins === null) return null;
  return (
    <Link to="/purchase/deposit" className={styles.pill} aria-label={m.nav_coins({ coins: formatNumber(coins) })}>
      <span className={styles.coin} aria-hidden="true" />
      {formatNumber(coins)}
    </Link>
  );
}
