import { mostKept } from '../../budgets/table.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import { keepBoth } from '../accounts/hold-account.ts';
import { Refusal } from '../refusal.ts';

type PairTable = 'ringback_favorites' | 'ringback_blocks';

/** Reads a page of the users that a user has favoured or blocked, the latest first. */
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

/** The most pairs of one user, from the table of input budgets. */
const MOST = {
  ringback_favorites: mostKept('addFavorite', 'favourites'),
  ringback_watches: mostKept('notifyWhenOnline', 'watches'),
  ringback_blocks: mostKept('block', 'blocks'),
} as const;

const NO_SUCH_USER = 'No user has this id.';

/**
 * Stores that a user favours, waits for or has blocked another. A second time has no effect.
 *
 * @throws Refusal `too_many` when the user has the most pairs; `signed_out`, `not_found` when one of the two accounts
 * is closed.
 */
export async function addPair(
  database: Pick<Database, 'transact' | 'lock'>,
  clock: Pick<Clock, 'wallTime'>,
  table: keyof typeof MOST,
  uId: string,
  other: string,
): Promise<void> {
  await database.transact(async (transaction) => {
    const gone = new Refusal('not_found', NO_SUCH_USER);
    await keepBoth(database, transaction, { uId, other, gone, kind: 'exclusive' });
    const { count } = await transaction
      .selectFrom(table)
      .where('u_id', '=', uId)
      .where('other', '!=', other)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MOST[table]) throw new Refusal('too_many', `This list may have at most ${MOST[table]} users.`);
    await transaction
      .insertInto(table)
      .values({ u_id: uId, other, at: clock.wallTime() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
