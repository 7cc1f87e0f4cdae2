import type { Clock } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';

type PairTable = 'ringback_favorites' | 'ringback_blocks';

/** A page of whom somebody has favoured or blocked, the last one first. */
export async function pairsOf(
  { db }: Database,
  table: PairTable,
  uId: string,
  { limit, cursor = '' }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{
  readonly items: readonly { readonly other: string; readonly at: number }[];
  readonly next: string | null;
}> {
  let query = db.selectFrom(table).where('u_id', '=', uId).select(['other', 'at']);
  const [, at = '', other = ''] = /^(\d{1,16}):(.*)$/s.exec(cursor) ?? [];
  if (at !== '') {
    query = query.where((eb) =>
      eb.or([eb('at', '<', Number(at)), eb.and([eb('at', '=', Number(at)), eb('other', '>', other)])]),
    );
  }
  const rows = await query
    .orderBy('at', 'desc')
    .orderBy('other')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? `${last.at}:${last.other}` : null };
}

/** Keeps that somebody favours, or waits for, another; once is enough. */
export async function addPair(
  { db }: Database,
  clock: Pick<Clock, 'now'>,
  table: 'ringback_favorites' | 'ringback_watches',
  uId: string,
  other: string,
): Promise<void> {
  await db
    .insertInto(table)
    .values({ u_id: uId, other, at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
