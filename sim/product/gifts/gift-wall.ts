import type { Transaction } from 'kysely';
import type { GivenGift } from '../../../src/protocol/product/people.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { GIFTS } from '../rules.ts';

/** The most kinds of gifts that a profile shows. */
const KINDS = 8;

/** Counts gifts that a woman received, in the transaction that pays for them. */
export async function countGift(
  transaction: Transaction<Tables>,
  uId: string,
  giftId: string,
  count: number,
): Promise<void> {
  await transaction
    .insertInto('ringback_gift_counts')
    .values({ u_id: uId, gift_id: giftId, count })
    .onConflict((conflict) =>
      conflict
        .columns(['u_id', 'gift_id'])
        .doUpdateSet(({ eb }) => ({ count: eb('ringback_gift_counts.count', '+', count) })),
    )
    .execute();
}

/** Lists the gifts that a user received, the most frequent first. */
export async function giftWall({ db }: Pick<Database, 'db'>, uId: string): Promise<GivenGift[]> {
  const rows = await db
    .selectFrom('ringback_gift_counts')
    .where('u_id', '=', uId)
    .orderBy('count', 'desc')
    .orderBy('gift_id')
    .limit(KINDS)
    .select(['gift_id', 'count'])
    .execute();
  return rows.map(({ gift_id, count }) => ({
    gift_id,
    // A gift that is no longer sold is still shown.
    name: GIFTS.find((gift) => gift.gift_id === gift_id)?.name ?? gift_id,
    count,
  }));
}
