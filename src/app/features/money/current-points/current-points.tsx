import { ChartColumn, ListChecks } from 'lucide-react';
import { useState } from 'react';
import type { Points } from '../../../../protocol/product/points.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { formatMoment, formatNumber, formatShortDay, wholePoints } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Chart } from '../../../../ui/kit/chart.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Meter } from '../../../../ui/kit/meter.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StatCard } from '../../../../ui/kit/stat-card.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { POINTS_NEWS, usePointsNews } from '../points/use-points-news.ts';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { PageHeader } from '../../shell/page-header.tsx';
import styles from './current-points.module.css';
import { Missing } from './missing.tsx';
import { mayRedeem } from './may-redeem.ts';

const { Part: RedeemSheet } = onDemand(async () => (await import('./redeem-sheet.tsx')).RedeemSheet);

/** Reloads the points while the screen is open, since pending points become available with time. */
const RENEW_MS = 60_000;

/** Shows the points of a woman, and redeems them. */
export default function CurrentPoints() {
  usePointsNews();
  const query = useProductQuery('points', {}, { ...POINTS_NEWS, refetchInterval: RENEW_MS });
  return (
    <>
      <PageHeader title={m.points_title()} lede={m.points_lede()} />
      <Loaded query={query} skeleton={<LoadingPoints />}>
        {(points) => <Overview points={points} />}
      </Loaded>
    </>
  );
}

function Overview({ points }: { points: Points }) {
  const [sheet, setSheet] = useState<'redeem' | 'account' | null>(null);
  return (
    <div className={styles.page}>
      <Balance points={points} onRedeem={() => setSheet('redeem')} />
      {points.redeeming.missing.length > 0 && (
        <Missing redeeming={points.redeeming} onAccount={() => setSheet('account')} />
      )}
      <Tier tier={points.tier} />
      <section className={styles.card} aria-labelledby="points-chart">
        <h2 id="points-chart">{m.points_chart_title()}</h2>
        {points.days.some((day) => day.points > 0) ? (
          <Chart
            title={m.points_chart_title()}
            axis={m.chart_day()}
            tableTitle={m.chart_table()}
            labels={points.days.map(({ day }) => formatShortDay(day))}
            series={[
              {
                key: 'points',
                title: m.chart_sum(),
                colour: 'var(--rose)',
                values: points.days.map((day) => wholePoints(day.points)),
              },
            ]}
            format={formatNumber}
          />
        ) : (
          <StateCard icon={<ChartColumn />} title={m.points_chart_empty()} hint={m.points_chart_empty_hint()} />
        )}
      </section>
      <nav className={styles.links} aria-label={m.points_links()}>
        <ul>
          <li>
            <ListRow
              start={<ChartColumn aria-hidden="true" />}
              title={m.points_to_income()}
              detail={m.points_to_income_hint()}
              to="/income-details"
            />
          </li>
          <li>
            <ListRow
              start={<ListChecks aria-hidden="true" />}
              title={m.points_to_records()}
              detail={m.points_to_records_hint()}
              to="/redemption-records"
            />
          </li>
        </ul>
      </nav>
      {sheet !== null && <RedeemSheet points={points} startsWith={sheet} onClose={() => setSheet(null)} />}
    </div>
  );
}

function Balance({ points, onRedeem }: { points: Points; onRedeem(): void }) {
  const { available, settling, reviewing, settles, redeeming } = points;
  const [next] = settles;
  const worth = wholePoints(available);
  const may = mayRedeem(points);
  return (
    <section className={styles.balance} aria-label={m.points_title()}>
      <div className={styles.hero}>
        <h2>{m.points_available()}</h2>
        <p className={styles.figure}>{m.points_amount({ amount: formatNumber(worth) })}</p>
        <p className={styles.worth}>{m.points_worth({ amount: formatNumber(worth) })}</p>
        <Button
          look="primary"
          disabled={may !== 'yes'}
          aria-describedby={may === 'yes' ? undefined : 'redeem-why'}
          onClick={onRedeem}
        >
          {m.points_redeem()}
        </Button>
        {may !== 'yes' && (
          <p id="redeem-why" className={styles.why}>
            {whyNot(may, points)}
          </p>
        )}
      </div>
      <dl className={styles.parts}>
        <StatCard
          label={m.points_settling()}
          value={m.points_amount({ amount: formatNumber(wholePoints(settling)) })}
          hint={
            next
              ? m.points_settling_next({ at: formatMoment(next.at), points: formatNumber(wholePoints(next.points)) })
              : m.points_settling_none()
          }
        />
        <StatCard
          label={m.points_reviewing()}
          value={m.points_amount({ amount: formatNumber(wholePoints(reviewing)) })}
          hint={
            redeeming.open
              ? m.points_reviewing_on({ at: formatMoment(redeeming.open.expected_at) })
              : m.points_reviewing_none()
          }
        />
      </dl>
    </section>
  );
}

function whyNot(may: Exclude<ReturnType<typeof mayRedeem>, 'yes'>, { available, redeeming }: Points): string {
  switch (may) {
    case 'missing':
      return m.points_missing_title();
    case 'new_contact':
      return m.points_redeem_new_contact({ at: formatMoment(redeeming.contact_from ?? 0) });
    case 'open':
      return m.points_redeem_open();
    case 'today':
      return m.points_redeem_today();
    case 'few':
      return m.points_redeem_few({
        least: formatNumber(redeeming.least),
        left: formatNumber(redeeming.least - wholePoints(available)),
      });
    default:
      return may satisfies never;
  }
}

function Tier({ tier: { percent, coins, days, gift_percent, next } }: Pick<Points, 'tier'>) {
  return (
    <section className={styles.card}>
      <h2>{m.points_tier({ percent })}</h2>
      <Meter
        label={
          next
            ? m.points_tier_next({ coins: formatNumber(next.from - coins), percent: next.percent })
            : m.points_tier_top()
        }
        value={next ? coins : 1}
        max={next ? next.from : 1}
        text={next ? m.points_tier_of({ coins: formatNumber(coins), from: formatNumber(next.from) }) : `${percent}%`}
      />
      <p className={styles.hint}>{m.points_tier_hint({ days, percent: gift_percent })}</p>
    </section>
  );
}

const LoadingPoints = () => (
  <div className={styles.page}>
    <Skeleton className={styles.loadingBalance} />
    <Skeleton className={styles.loadingTier} />
    <Skeleton className={styles.loadingChart} />
  </div>
);
