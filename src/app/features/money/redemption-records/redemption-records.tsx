import { ListChecks } from 'lucide-react';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { LinkButton } from '../../../../ui/kit/button.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { usePointsNews } from '../points/use-points-news.ts';
import { useProductPages } from '../../../core/hooks/use-product.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { RedemptionCard } from './redemption-card.tsx';
import styles from './redemption-records.module.css';

/** Reloads the redemptions while the screen is open, since a review continues meanwhile. */
const RENEW_MS = 60_000;

/** Lists the redemptions of the user with their states and results. */
export default function RedemptionRecords() {
  usePointsNews();
  const query = useProductPages('redemptions', { query: {} }, { refetchInterval: RENEW_MS });
  return (
    <>
      <PageHeader title={m.records_title()} back="/current-points" />
      <Loaded
        query={query}
        skeleton={<LoadingRecords />}
        isEmpty={(redemptions) => redemptions.length === 0}
        empty={
          <StateCard icon={<ListChecks />} title={m.records_empty()} hint={m.records_empty_hint()}>
            <LinkButton look="primary" to="/current-points">
              {m.records_empty_action()}
            </LinkButton>
          </StateCard>
        }
      >
        {(redemptions) => (
          <>
            <ul className={styles.list}>
              {redemptions.map((redemption) => (
                <li key={redemption.redemption_id}>
                  <RedemptionCard redemption={redemption} />
                </li>
              ))}
            </ul>
            <Pager
              hasMore={query.hasNextPage}
              busy={query.isFetchingNextPage}
              onMore={() => void query.fetchNextPage()}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

const LoadingRecords = () => (
  <div className={styles.list}>
    {[1, 2, 3].map((place) => (
      <Skeleton key={place} className={styles.loading} />
    ))}
  </div>
);
