import { formatNumber } from '../i18n/format.ts';
import { m } from '../i18n/generated/messages.js';
import { Skeleton } from '../kit/skeleton.tsx';
import { StatCard } from '../kit/stat-card.tsx';
import { useProductQuery } from '../product/use-product.ts';
import styles from './today.module.css';

const MINUTE = 60;

/** How one's day has been so far. */
export function Today() {
  const { data } = useProductQuery('today', {});
  if (data === undefined) return <Skeleton className={styles.skeleton} />;
  return (
    <section aria-labelledby="own-today" className={styles.today}>
      <h2 id="own-today">{m.hub_today()}</h2>
      <dl className={styles.day}>
        <StatCard label={m.hub_calls()} value={formatNumber(data.calls)} />
        <StatCard label={m.hub_minutes()} value={formatNumber(Math.floor(data.seconds / MINUTE))} />
        <StatCard label={m.hub_missed()} value={formatNumber(data.missed)} />
        <StatCard label={m.hub_favorites()} value={formatNumber(data.favorites)} />
      </dl>
    </section>
  );
}
