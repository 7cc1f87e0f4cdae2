import type { Transaction } from 'kysely';
import type { EntryKind } from '../../../src/protocol/product/wallet.ts';
import type { Database } from '../../store/database.ts';
import { statementOfOne, statementOfRows } from '../../store/statement.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { Refusal } from '../refusal.ts';
import { accountOf, type AccountName } from './account.ts';
import { addBought } from './bought-coins.ts';
import * as v from 'valibot';

/** The purpose of a transfer. Each kind of transfer sets the fields that it has. */
export const reference = v.strictObject({
  /** The user who pays. */
  man: v.optional(v.string()),
  /** The user who earns. */
  woman: v.optional(v.string()),
  call: v.optional(v.string()),
  /** The minute of the call, from 1. */
  minute: v.optional(v.number()),
  gift: v.optional(v.string()),
  /** The number of gifts. */
  count: v.optional(v.number()),
  /** How many of the coins were bought, when not all were. Only bought coins earn points. */
  bought: v.optional(v.number()),
  channel: v.optional(v.string()),
  deposit: v.optional(v.string()),
  redemption: v.optional(v.string()),
});
export type Reference = v.InferOutput<typeof reference>;

export interface Line {
  readonly account: AccountName;
  /** The whole number, not 0, that the account gains. */
  readonly delta: number;
}

interface KnownLine extends Line {
  /** Null for an account of the platform. */
  readonly purse: string | null;
}

/** A movement of money. */
export interface Transfer {
  /** The idempotency key: a second transfer with the key is not made. */
  readonly key: string;
  readonly kind: EntryKind;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The purpose of the transfer. */
  readonly ref: Reference;
  /** The lines of each kind of money sum to zero. */
  readonly lines: readonly Line[];
}

/**
 * The double-entry books. Entries are only added, never changed or deleted. No account of a user is ever below zero. Coins
 * are held without entries, so the entries of a purse sum up to what it holds and what is held of it.
 *
 * Parallel transfers lock their rows in one order, balances by name and then purses by name, so that they cannot
 * deadlock.
 */
export class Ledger {
  readonly #db: Database['db'];

  constructor({ db }: Pick<Database, 'db'>) {
    this.#db = db;
  }

  /**
   * Posts a transfer in the transaction of the caller, which must not commit if this throws.
   *
   * @returns false when a transfer with this key exists. Nothing is written then.
   * @throws Refusal `insufficient_coins`, `insufficient_points` when an account would be below zero.
   * @throws Error when the transfer is not balanced.
   */
  async post(transaction: Transaction<Tables>, { key, kind, at, ref, lines }: Transfer): Promise<boolean> {
    checkBalanced(key, lines);
    const made = await add(transaction, { key, kind, at, ref: JSON.stringify(ref) });
    if (!made) return false;
    await countBought(transaction, lines);
    const sorted = lines
      .map((line) => ({ ...line, ...accountOf(line.account) }))
      .toSorted((a, b) => order(a.account, b.account));
    for (const { account, delta, purse } of sorted) if (purse !== null) await move(transaction, account, delta);
    const counted = [];
    // Sorted again, since the purses of a user's accounts are in another order.
    const purses = [...new Set(sorted.map(({ purse }) => purse))].toSorted((a, b) => order(a ?? '', b ?? ''));
    for (const purse of purses) {
      const some = sorted.filter((line) => line.purse === purse);
      counted.push(...(purse === null ? some.map(uncounted) : await count(transaction, purse, some)));
    }
    await addEntries(
      transaction,
      counted.map(({ account, delta, purse, seq, total }, line) => ({
        transfer: key,
        line,
        account,
        delta,
        purse,
        seq,
        purse_after: total,
        kind,
        at,
      })),
    );
    return true;
  }

  /**
   * Holds coins that a man may spend, in the transaction of the caller, which must not commit if this throws. This is no
   * transfer: the coins stay in his purse, and the history does not show it.
   *
   * @throws Refusal `insufficient_coins` when he has fewer coins.
   */
  async hold(transaction: Transaction<Tables>, man: string, coins: number): Promise<void> {
    await this.#setAside(transaction, man, coins);
  }

  /** Returns held coins to those that a man may spend, in the transaction of the caller. @throws Refusal as {@link hold}. */
  async release(transaction: Transaction<Tables>, man: string, coins: number): Promise<void> {
    await this.#setAside(transaction, man, -coins);
  }

  async #setAside(transaction: Transaction<Tables>, man: string, coins: number): Promise<void> {
    // In the order of their names, see the class.
    await move(transaction, `coins:${man}`, -coins);
    await move(transaction, `held:${man}`, coins);
  }

  /**
   * Returns the balance of an account, currently or within a transaction. An account of the platform may be below zero.
   */
  async balance(account: AccountName, db: Database['db'] = this.#db): Promise<number> {
    if (accountOf(account).purse === null) {
      const row = await db
        .selectFrom('ringback_entries')
        .where('account', '=', account)
        .select(({ fn }) => fn.sum<number | string | null>('delta').as('sum'))
        .executeTakeFirstOrThrow();
      return Number(row.sum ?? 0);
    }
    const row = await db
      .selectFrom('ringback_balances')
      .where('account', '=', account)
      .select('balance')
      .executeTakeFirst();
    return row?.balance ?? 0;
  }
}

const COINS = 'coins:';

/** Counts coins that the platform sells. */
async function countBought(transaction: Transaction<Tables>, lines: readonly Line[]): Promise<void> {
  if (!lines.some(({ account }) => account === 'house:sold')) return;
  for (const { account, delta } of lines) {
    const { purse } = accountOf(account);
    if (purse?.startsWith(COINS)) await addBought(transaction, purse.slice(COINS.length), delta);
  }
}

const uncounted = (line: KnownLine) => ({ ...line, seq: null, total: null });

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function checkBalanced(key: string, lines: readonly Line[]): void {
  const sums = { coins: 0, points: 0 };
  for (const { account, delta } of lines) {
    if (!Number.isSafeInteger(delta) || delta === 0) throw new Error(`The transfer ${key} moves ${delta}.`);
    // Stryker disable next-line AssignmentOperator: what sums to zero does so with each sign turned round, too
    sums[accountOf(account).money] += delta;
  }
  if (lines.length === 0 || sums.coins !== 0 || sums.points !== 0)
    throw new Error(`The transfer ${key} is not balanced.`);
}

/** Adds the row of a transfer, unless there is one with its key. */
const add = statementOfOne((db, { key, kind, at, ref }: Tables['ringback_transfers']) =>
  db
    .insertInto('ringback_transfers')
    .values({ key, kind, at, ref })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key'),
);

const addEntries = statementOfRows((db, rows: readonly Tables['ringback_entries'][]) =>
  db.insertInto('ringback_entries').values(
    rows.map(({ transfer, line, account, delta, purse, seq, purse_after, kind, at }) => ({
      transfer,
      line,
      account,
      delta,
      purse,
      seq,
      purse_after,
      kind,
      at,
    })),
  ),
);

/** Changes a balance, if there is a row, and it stays at least 0. */
const change = statementOfOne((db, { account, delta }: Line) =>
  db
    .updateTable('ringback_balances')
    .set(({ eb }) => ({ balance: eb('balance', '+', delta) }))
    .where('account', '=', account)
    .where(({ eb }) => eb(eb('balance', '+', delta), '>=', 0))
    .returning('balance'),
);

/** Counts entries in a purse, which exists from then on. Returns the number and the total after the last of them. */
const advance = statementOfOne((db, { purse, delta, entries }: { purse: string; delta: number; entries: number }) =>
  db
    .insertInto('ringback_purses')
    .values({ purse, total: delta, seq: entries })
    .onConflict((conflict) =>
      conflict.column('purse').doUpdateSet(({ eb }) => ({
        total: eb('ringback_purses.total', '+', delta),
        seq: eb('ringback_purses.seq', '+', entries),
      })),
    )
    .returning(['seq', 'total']),
);

/** Changes a balance, if the current row stays at least 0. */
async function move(transaction: Transaction<Tables>, account: AccountName, delta: number): Promise<void> {
  const hasChanged = async () => (await change(transaction, { account, delta })) !== undefined;
  if (await hasChanged()) return;
  if (delta > 0) {
    await transaction
      .insertInto('ringback_balances')
      .values({ account, balance: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (await hasChanged()) return;
  }
  const { money } = accountOf(account);
  throw new Refusal(`insufficient_${money}`, `The balance of ${money} is too low.`);
}

/** Gives these lines of a purse the next numbers in its history, and the total after each. */
async function count(transaction: Transaction<Tables>, purse: string, lines: readonly KnownLine[]) {
  const delta = lines.reduce((sum, line) => sum + line.delta, 0);
  const last = await advance(transaction, { purse, delta, entries: lines.length });
  if (!last) throw new Error(`The purse ${purse} was not counted.`);
  let { seq, total } = { seq: last.seq - lines.length, total: last.total - delta };
  return lines.map((line) => {
    seq += 1;
    total += line.delta;
    return { ...line, seq, total };
  });
}
