import { PostgresAdapter, sql } from 'kysely';
import type { Income, IncomeItem, IncomeSource, SourceSums } from '../../../src/protocol/product/points.ts';
import type { Database } from '../../store/database.ts';
import { taipeiDay } from '../calendar.ts';
import { DAY_MS, TAIPEI_OFFSET_MS } from '../rules.ts';

/** A range of time for the income of a user, without its end. */
export interface Span {
  readonly uId: string;
  readonly from: number;
  readonly to: number;
}

interface Sum {
  /** The day or the user that the income came from. */
  readonly key: string;
  readonly source: IncomeSource;
  readonly points: number;
}

const NOTHING: SourceSums = { voice: 0, video: 0, message: 0, gift: 0 };

/** Returns the income of each day from the first to the last, with 0 for days without income. */
export async function incomeByDay({ db }: Database, span: Span): Promise<Income> {
  const day = sql<number>`(entry.at + ${sql.lit(TAIPEI_OFFSET_MS)}) / ${sql.lit(DAY_MS)}`;
  const items = grouped(await sums(db, span, day));
  const [first, last] = [taipeiDay(span.from), taipeiDay(span.to - 1)];
  const days = Array.from({ length: last - first + 1 }, (_, at) => {
    const found = items.get(String(first + at));
    return { key: dayText(first + at), ...(found ?? { points: 0, sources: NOTHING }), supporter: null };
  });
  return totalled(days);
}

export async function incomeBySource({ db }: Database, span: Span): Promise<Income> {
  const items = grouped(await sums(db, span, sql<string>`''`));
  const { sources } = items.get('') ?? { sources: NOTHING };
  const bySource = (['voice', 'video', 'message', 'gift'] as const).map((source) => ({
    key: source,
    points: sources[source],
    sources: { ...NOTHING, [source]: sources[source] },
    supporter: null,
  }));
  return totalled(bySource);
}

/** Returns the income by the user who paid it, the largest first. */
export async function incomeByUser({ db }: Database, span: Span): Promise<Income> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const man = isPostgres ? sql<string>`transfer.ref::json ->> 'man'` : sql<string>`transfer.ref ->> 'man'`;
  const items = grouped(await sums(db, span, man));
  const byUser = [...items]
    .map(([key, item]) => ({ key, ...item, supporter: null }))
    .toSorted((a, b) => b.points - a.points);
  return totalled(byUser);
}

/** Sums the income less refunds. A refund counts in the period of its earning. */
async function sums(
  db: Database['db'],
  { uId, from, to }: Span,
  key: ReturnType<typeof sql<number | string>>,
): Promise<readonly Sum[]> {
  const { rows } = await sql<{ key: string | number; source: IncomeSource; points: number | string }>`
    select earned.key, earned.source, sum(earned.delta) as points
    from (
      select ${key} as key, entry.delta,
        case when entry.kind = 'refund'
          then (select charge.kind from ringback_transfers charge
            where charge.key = substr(entry.transfer, 1, length(entry.transfer) - length(':refund')))
          else entry.kind end as source
      from ringback_entries entry
      join ringback_transfers transfer on transfer.key = entry.transfer
      where entry.account = ${`settling:${uId}`} and entry.at >= ${from} and entry.at < ${to}
        and entry.kind in ('voice', 'video', 'message', 'gift', 'refund')
    ) earned
    group by earned.key, earned.source`.execute(db);
  return rows.map(({ key: group, source, points }) => ({ key: String(group), source, points: Number(points) }));
}

function grouped(rows: readonly Sum[]): ReadonlyMap<string, Pick<IncomeItem, 'points' | 'sources'>> {
  const items = new Map<string, Pick<IncomeItem, 'points' | 'sources'>>();
  for (const { key, source, points } of rows) {
    const before = items.get(key) ?? { points: 0, sources: NOTHING };
    const sources = { ...before.sources, [source]: before.sources[source] + points };
    items.set(key, { points: before.points + points, sources });
  }
  return items;
}

function totalled(items: IncomeItem[]): Income {
  const sources = { ...NOTHING };
  for (const item of items) {
    for (const source of ['voice', 'video', 'message', 'gift'] as const) sources[source] += item.sources[source];
  }
  return { total: items.reduce((sum, { points }) => sum + points, 0), sources, items };
}

const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
