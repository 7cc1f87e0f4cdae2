import { accountOf, purseOf, type AccountName } from '../../../../sim/product/ledger/account.ts';
import type { Database } from '../../../../sim/store/database.ts';

/** Lists the faults of the books, one in a line. Empty when each sum is right (I20). */
export async function audit({ db }: Database): Promise<string[]> {
  const faults: string[] = [];
  const transfers = await db.selectFrom('ringback_transfers').selectAll().execute();
  const entries = await db.selectFrom('ringback_entries').selectAll().orderBy('purse').orderBy('seq').execute();
  const balances = await db.selectFrom('ringback_balances').selectAll().execute();
  const purses = await db.selectFrom('ringback_purses').selectAll().execute();

  const accounts = new Map<string, number>();
  const posted = new Map<string, number>();
  const perTransfer = new Map<string, { coins: number; points: number; lines: number }>();
  const perPurse = new Map<string, { total: number; seq: number }>();
  for (const { transfer, account, delta, purse, seq, purse_after } of entries) {
    const known = accountOf(name(account));
    // Older versions held coins with entries.
    if (account.startsWith('held:')) posted.set(account, (posted.get(account) ?? 0) + delta);
    const kept = account.replace(/^held:/, 'coins:');
    accounts.set(kept, (accounts.get(kept) ?? 0) + delta);
    const sums = perTransfer.get(transfer) ?? { coins: 0, points: 0, lines: 0 };
    sums[known.money] += delta;
    sums.lines += 1;
    perTransfer.set(transfer, sums);
    if (known.purse !== purse) faults.push(`the entry of ${account} is of the purse ${purse}`);
    if (purse === null) continue;
    const before = perPurse.get(purse) ?? { total: 0, seq: 0 };
    const after = { total: before.total + delta, seq: before.seq + 1 };
    if (seq !== after.seq) faults.push(`${purse} has the entry ${seq} where ${after.seq} is next`);
    if (purse_after !== after.total) faults.push(`${purse} has ${purse_after} after ${seq}, not ${after.total}`);
    perPurse.set(purse, after);
  }
  for (const { key } of transfers) {
    const sums = perTransfer.get(key) ?? { coins: 0, points: 0, lines: 0 };
    if (sums.lines < 2 || sums.coins !== 0 || sums.points !== 0) faults.push(`${key} is not balanced`);
    perTransfer.delete(key);
  }
  for (const key of perTransfer.keys()) faults.push(`${key} has entries and no transfer`);
  const held = new Map<string, number>();
  for (const { account, balance } of balances) {
    if (balance < 0) faults.push(`${account} holds less than nothing`);
    if (!account.startsWith('held:')) continue;
    // Coins are held without entries.
    held.set(account.replace('held:', 'coins:'), balance);
  }
  for (const { account, balance } of balances) {
    if (account.startsWith('held:')) continue;
    const sum = accounts.get(account) ?? 0;
    const all = balance + (held.get(account) ?? 0);
    if (all !== sum) faults.push(`${account} holds ${all} with what is held, not ${sum}`);
    accounts.delete(account);
    held.delete(account);
  }
  for (const [account, balance] of held)
    if (balance !== 0) faults.push(`${balance} are held of ${account}, which is absent`);
  const reservations = await db.selectFrom('ringback_reservations').where('is_held', '=', 1).selectAll().execute();
  for (const { account, balance } of balances) {
    if (!account.startsWith('held:')) continue;
    const wanted = (reservations.find(({ man }) => account === `held:${man}`)?.rate ?? 0) + (posted.get(account) ?? 0);
    if (balance !== wanted) faults.push(`${account} holds ${balance}, and the reservation ${wanted}`);
  }
  for (const [account, sum] of accounts) {
    if (accountOf(name(account)).purse !== null && sum !== 0) faults.push(`${account} holds ${sum} and has no row`);
  }
  for (const { purse, total, seq } of purses) {
    const after = perPurse.get(purse);
    if (total !== after?.total || seq !== after.seq) faults.push(`${purse} holds ${total} after ${seq} entries`);
  }
  return faults;
}

/** Returns a user's balance of one kind of money by the books. */
export async function purseTotal({ db }: Database, money: 'coins' | 'points', uId: string): Promise<number> {
  const row = await db
    .selectFrom('ringback_purses')
    .where('purse', '=', purseOf(money, uId))
    .select('total')
    .executeTakeFirst();
  return row?.total ?? 0;
}

// The values of the database were written under these names. accountOf refuses any other.
const name = (account: string) => account as AccountName;
