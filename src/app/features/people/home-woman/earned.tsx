import type { UseQueryResult } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Points } from '../../../../protocol/product/points.ts';
import { formatNumber, wholePoints } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { Sparkline } from '../../../../ui/kit/sparkline.tsx';
import styles from './earned.module.css';

const SHOWN_DAYS = 14;

/**
 * Shows the income of today and of the last days, with a dash for a missing figure. Its height does not depend on the
 * figures.
 */
export function Earned({ query: { data, isPending } }: { query: Pick<UseQueryResult<Points>, 'data' | 'isPending'> }) {
  const days = data?.days.slice(-SHOWN_DAYS) ?? [];
  const today = days.at(-1);
  return (
    <Link to="/current-points" className={styles.earned} aria-busy={isPending}>
      <span className={styles.words}>
        <span className={styles.label}>{m.hub_earned()}</span>
        <strong className={styles.value}>
          {isPending && <Skeleton className={styles.skeleton} />}
          {!isPending && (today ? m.points_amount({ amount: formatNumber(wholePoints(today.points)) }) : '–')}
        </strong>
        <span className={styles.label}>{m.hub_earned_days({ days: SHOWN_DAYS })}</span>
      </span>
      <span className={styles.course}>
        {days.length > 1 && <Sparkline values={days.map(({ points }) => points)} />}
      </span>
      <ChevronRight aria-hidden="true" size={20} />
    </Link>
  );
}
