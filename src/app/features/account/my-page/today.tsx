import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StatCard } from '../../../../ui/kit/stat-card.tsx';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import styles from './today.module.css';

const MINUTE = 60;

/**
 * Shows the figures of the user's day. A figure without data is a dash. Loading the figures does not move the content
 * below.
 */
export function Today() {
  const { data, isPending } = useProductQuery('today', {});
  const figure = (value: number | undefined) => {
    if (isPending) return <Skeleton className={styles.skeleton} />;
    return value === undefined ? '–' : formatNumber(value);
  };
  return (
    <section aria-labelledby="own-today" className={styles.today} aria-busy={isPending}>
      <h2 id="own-today">{m.hub_today()}</h2>
      <dl className={styles.day}>
        <StatCard label={m.hub_calls()} value={figure(data?.calls)} />
        <StatCard label={m.hub_minutes()} value={figure(data && Math.floor(data.seconds / MINUTE))} />
        <StatCard label={m.hub_missed()} value={figure(data?.missed)} />
        <StatCard label={m.hub_favorites()} value={figure(data?.favorites)} />
        <StatCard
          label={m.hub_rating()}
          value={data?.rating === null ? '–' : figure(data?.rating)}
          hint={m.hub_rating_hint()}
        />
      </dl>
    </section>
  );
}
