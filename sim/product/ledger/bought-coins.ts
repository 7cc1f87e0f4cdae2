import type { Transaction } from 'kysely';
import type { Tables } from '../../store/tables/tables.ts';

/**
 * Counts of a man's bought and unspent coins. They are spent first, and only they earn points. So coins that were given
 * away never become points that are paid out. A charge changes this row before the man's balances, and a refund after
 * them. The two can deadlock: PostgreSQL then aborts one, and `Database.transact` runs it again.
 */

/** Adds coins that a man has bought or is refunded. */
export async function addBought(transaction: Transaction<Tables>, man: string, coins: number): Promise<void> {
  await transaction
    .insertInto('ringback_bought_coins')
    .values({ u_id: man, coins })
    .onConflict((conflict) =>
      conflict.column('u_id').doUpdateSet(({ eb }) => ({ coins: eb('ringback_bought_coins.coins', '+', coins) })),
    )
    .execute();
}

/** Takes up to this many bought coins of a man. @returns how many there were. */
export async function takeBought(transaction: Transaction<Tables>, man: string, coins: number): Promise<number> {
  for (;;) {
    const row = await transaction
      .selectFrom('ringback_bought_coins')
      .where('u_id', '=', man)
      .select('coins')
      .executeTakeFirst();
    const taken = Math.min(row?.coins ?? 0, coins);
    if (!row || taken === 0) return 0;
    const changed = await transaction
      .updateTable('ringback_bought_coins')
      .set({ coins: row.coins - taken })
      .where('u_id', '=', man)
      // Another charge of his may have changed the row meanwhile. Then the loop reads it again.
      .where('coins', '=', row.coins)
      .returning('coins')
      .executeTakeFirst();
    if (changed) return taken;
  }
}
