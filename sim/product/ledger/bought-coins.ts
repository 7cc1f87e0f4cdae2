import type { Transaction } from 'kysely';
import type { Tables } from '../../store/tables/tables.ts';

/**
 * How many of a man's coins he has bought, and not yet spent: they are spent first, and they alone earn points. So coins that
 * were given never become points that are paid out. A charge changes his row before his balances; giving coins back changes it after
 * them. Two of them may so wait for each other: PostgreSQL then ends one, and `Database.transact` runs it again.
 */

/** Counts coins that a man has bought, or that he gets back. */
export async function addBought(transaction: Transaction<Tables>, man: string, coins: number): Promise<void> {
  await transaction
    .insertInto('ringback_bought_coins')
    .values({ u_id: man, coins })
    .onConflict((conflict) =>
      conflict.column('u_id').doUpdateSet(({ eb }) => ({ coins: eb('ringback_bought_coins.coins', '+', coins) })),
    )
    .execute();
}

/** Takes up to so many bought coins of a man. @returns how many there were. */
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
      // Another charge of his may have come between: then it is read once more.
      .where('coins', '=', row.coins)
      .returning('coins')
      .executeTakeFirst();
    if (changed) return taken;
  }
}
