import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Income, type IncomeItem, incomeSource, type IncomeSource } from '../../../../protocol/product/points.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { formatNumber, formatShortDay, wholePoints } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { Chart } from '../../../../ui/kit/chart.tsx';
import { DateField } from '../../../../ui/kit/date-field.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Meter } from '../../../../ui/kit/meter.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { Segments } from '../../../../ui/kit/segments.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { POINTS_NEWS, usePointsNews } from '../points/use-points-news.ts';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { useTicks } from '../../../core/hooks/areas.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './income-details.module.css';
import { dayOf, daysBetween, lastDays, type Range, type RangeName } from './range.ts';

const NAMES: readonly RangeName[] = ['today', 'week', 'month', 'custom'];
const COLOURS: Readonly<Record<IncomeSource, string>> = {
  voice: 'var(--mint)',
  video: 'var(--rose)',
  message: 'var(--ink-2)',
  gift: 'var(--amber)',
};

const sourceName = (source: IncomeSource): string =>
  ({ voice: m.source_voice, video: m.source_video, message: m.source_message, gift: m.source_gift })[source]();

/** Shows the income of a range of days: by source, by day and by paying user. */
export default function IncomeDetails() {
  usePointsNews();
  const { minutes } = useTicks();
  const now = useStore(minutes);
  const [search, setSearch] = useSearchParams();
  const name = NAMES.find((known) => known === search.get('range')) ?? 'week';
  const today = dayOf(now);
  const first = search.get('from') ?? today;
  const last = search.get('to') ?? today;
  const range = name === 'custom' ? daysBetween(first, last) : lastDays(name, now);
  const change = (more: Record<string, string>): void =>
    setSearch({ ...Object.fromEntries(search), ...more }, { replace: true });

  return (
    <>
      <PageHeader title={m.income_title()} back="/current-points" />
      <div className={styles.page}>
        <Segments
          label={m.income_range()}
          showLabel={false}
          options={[
            { value: 'today', text: m.income_today() },
            { value: 'week', text: m.income_week() },
            { value: 'month', text: m.income_month() },
            { value: 'custom', text: m.income_custom() },
          ]}
          value={name}
          onChange={(chosen) => change({ range: chosen })}
        />
        {name === 'custom' && (
          <div className={styles.days}>
            <DateField
              label={m.income_from()}
              max={today}
              value={first}
              error={range === null ? m.income_span_wrong() : null}
              onChange={(from) => change({ from })}
            />
            <DateField label={m.income_to()} max={today} value={last} onChange={(to) => change({ to })} />
          </div>
        )}
        {range !== null && <OfRange range={range} />}
      </div>
    </>
  );
}

function OfRange({ range }: { range: Range }) {
  const asked = { from: String(range.from), to: String(range.to) };
  const query = useProductQuery(
    'income',
    { query: { ...asked, group: 'day' } },
    { ...POINTS_NEWS, keepsPrevious: true },
  );
  return (
    <Loaded
      query={query}
      skeleton={<LoadingIncome />}
      isEmpty={({ total }) => total <= 0}
      empty={<StateCard icon={<ChartColumn />} title={m.income_empty()} hint={m.income_empty_hint()} />}
    >
      {(income) => (
        <div className={styles.parts} aria-busy={query.isPlaceholderData}>
          <section className={styles.card}>
            <h2 className={styles.label}>{m.income_total()}</h2>
            <p className={styles.total} role="status">
              <MoneyText amount={wholePoints(income.total)} unit="points" />
            </p>
            {income.items.length > 1 && <DayChart income={income} />}
          </section>
          <Sources income={income} />
          <Details days={income.items} asked={asked} />
        </div>
      )}
    </Loaded>
  );
}

function DayChart({ income: { items } }: { income: Income }) {
  return (
    <Chart
      title={m.income_chart()}
      axis={m.chart_day()}
      tableTitle={m.chart_table()}
      labels={items.map(({ key }) => formatShortDay(key))}
      series={incomeSource.options.map((source) => ({
        key: source,
        title: sourceName(source),
        colour: COLOURS[source],
        values: items.map(({ sources }) => wholePoints(sources[source])),
      }))}
      format={formatNumber}
    />
  );
}

function Sources({ income: { total, sources } }: { income: Income }) {
  return (
    <section className={styles.card}>
      <h2>{m.income_sources()}</h2>
      {incomeSource.options.map((source) => (
        <Meter
          key={source}
          label={`${sourceName(source)} ${m.income_share({ percent: Math.round((sources[source] / total) * 100) })}`}
          value={Math.max(0, sources[source])}
          max={total}
          text={m.points_amount({ amount: formatNumber(wholePoints(sources[source])) })}
        />
      ))}
    </section>
  );
}

function Details({ days, asked }: { days: readonly IncomeItem[]; asked: { from: string; to: string } }) {
  const [by, setBy] = useState<'day' | 'user'>('day');
  return (
    <section className={styles.card}>
      <h2>{m.income_group()}</h2>
      <Segments<'day' | 'user'>
        label={m.income_group()}
        showLabel={false}
        options={[
          { value: 'day', text: m.income_by_day() },
          { value: 'user', text: m.income_by_user() },
        ]}
        value={by}
        onChange={setBy}
      />
      {by === 'day' ? (
        <ul className={styles.list}>
          {days
            .filter(({ points }) => points !== 0)
            .toReversed()
            .map((item) => (
              <li key={item.key}>
                <ListRow title={formatShortDay(item.key)} detail={sourcesOf(item)} end={<Amount of={item} />} />
              </li>
            ))}
        </ul>
      ) : (
        <Supporters asked={asked} />
      )}
    </section>
  );
}

function Supporters({ asked }: { asked: { from: string; to: string } }) {
  const query = useProductQuery('income', { query: { ...asked, group: 'user' } }, POINTS_NEWS);
  return (
    <Loaded query={query} skeleton={<Skeleton className={styles.loadingList} />}>
      {({ items }) => (
        <ol className={styles.list}>
          {items.map((item) => (
            <li key={item.key}>
              <ListRow
                start={<Avatar url={item.supporter?.profile_url ?? ''} />}
                title={item.supporter?.nickname || m.income_nobody()}
                detail={sourcesOf(item)}
                end={<Amount of={item} />}
              />
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

const Amount = ({ of: { points } }: { of: IncomeItem }) => (
  <MoneyText amount={wholePoints(points)} unit="points" signed />
);

/** Returns the names of the sources with an income. */
const sourcesOf = ({ sources }: IncomeItem): string =>
  incomeSource.options
    .filter((source) => sources[source] !== 0)
    .map(sourceName)
    .join(' · ');

const LoadingIncome = () => (
  <div className={styles.parts}>
    <Skeleton className={styles.loadingChart} />
    <Skeleton className={styles.loadingSources} />
    <Skeleton className={styles.loadingList} />
  </div>
);
