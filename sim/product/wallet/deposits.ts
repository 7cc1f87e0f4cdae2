import type { Transaction } from 'kysely';
import * as v from 'valibot';
import {
  depositFailure,
  depositMethod,
  depositStatus,
  type Deposit,
  type Pack,
  type Wallet,
} from '../../../src/protocol/product/wallet.ts';
import type { ReadRequest } from '../../../src/protocol/product/api.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { keepAccount } from '../accounts/hold-account.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { DEPOSIT_RULES } from '../rules.ts';
import { monthOf, monthSpan } from '../calendar.ts';
import type { PaymentOutcome } from './payment-provider.ts';

type Row = Tables['ringback_deposits'];
type Parts = Pick<ProductParts, 'database' | 'clock' | 'ids' | 'ledger' | 'wallets' | 'payments' | 'log'>;

/** The states of a deposit that may still be paid. */
const OPEN = ['processing', 'pending'] as const;
/** The states from which a payment can enter a status. */
const FROM = {
  pending: ['processing'],
  failed: OPEN,
  expired: ['pending'],
  paid: [...OPEN, 'failed', 'expired'],
} as const;
/** A cursor: the next page begins after the deposit with this time and id. */
const cursorText = v.pipe(v.string(), v.regex(/^\d{1,15}\.[\w-]+$/));

/** Deposits, with which men buy coins. */
export class Deposits {
  readonly #with: Parts;

  constructor(parts: Parts) {
    this.#with = parts;
  }

  /** Stores a deposit that the user is about to pay. @throws Refusal `limit_reached`. */
  async open(
    transaction: Transaction<Tables>,
    uId: string,
    pack: Pack,
    { method, invoice }: Pick<ReadRequest<'deposit'>['body'], 'method' | 'invoice'>,
  ): Promise<string> {
    const { database, clock, ids } = this.#with;
    const now = clock.wallTime();
    // Locks, so that two parallel deposits cannot exceed the monthly limit together.
    await database.lock(transaction, `deposits of ${uId}`);
    const { limit, spent } = await this.#limitOf(transaction, uId);
    if (spent + pack.price > limit) {
      throw new Refusal('limit_reached', 'The price exceeds what this user may still spend this month.', {
        field: 'pack_id',
      });
    }
    const deposit_id = ids.uuid();
    const digits = deposit_id.replaceAll(/\D/g, '').slice(-8).padStart(8, '0');
    await transaction
      .insertInto('ringback_deposits')
      .values({
        deposit_id,
        u_id: uId,
        order_no: `RB${now}${digits}`,
        pack_id: pack.pack_id,
        price: pack.price,
        coins: pack.coins,
        bonus: pack.bonus,
        method,
        status: 'processing',
        failure: null,
        pay_code: null,
        invoice: invoice ?? null,
        created_at: now,
        expires_at: now + (method === 'convenience_store' ? DEPOSIT_RULES.codeMs : DEPOSIT_RULES.payMs),
        settled_at: null,
      })
      .execute();
    return deposit_id;
  }

  /**
   * Asks the provider to take an open payment, and stores the result. Without an answer in time, the payment stays in
   * progress. A client that lost the answer may ask again: the provider then begins nothing new.
   */
  async pay(uId: string, depositId: string, cardNumber: string | null): Promise<void> {
    const { payments } = this.#with;
    const row = await this.#row(uId, depositId);
    if (row.status !== 'processing') return;
    const { order_no: orderNo, price: amount } = row;
    const method = v.parse(depositMethod, row.method);
    const outcome = await this.#inTime(row, () => payments.begin({ orderNo, amount, method, cardNumber }));
    if (outcome) await this.#settle(row, outcome);
  }

  /** Asks the provider about a payment, and stores the result. Without an answer nothing changes. */
  async ask(row: Row): Promise<void> {
    const { payments, clock } = this.#with;
    if (row.status === 'paid') return;
    const stands = await this.#inTime(row, () => payments.status(row.order_no));
    if (!stands) return;
    const now = clock.wallTime();
    switch (stands.status) {
      case 'paid':
      case 'failed':
        return this.#settle(row, stands);
      case 'pending':
        return this.#settle(row, row.expires_at <= now ? { status: 'expired' } : stands);
      case 'processing':
        if (row.created_at + DEPOSIT_RULES.undecidedMs > now) return undefined;
        return this.#settle(row, { status: 'failed', failure: 'timed_out' });
      case 'unknown':
        // A code can be paid until it expires.
        if (row.status === 'pending' && row.expires_at > now) return undefined;
        // The server died before it reached the provider, or the provider has given up an unpaid code.
        return this.#settle(
          row,
          row.status === 'pending' ? { status: 'expired' } : { status: 'failed', failure: 'timed_out' },
        );
      default:
        return stands satisfies never;
    }
  }

  /** Asks the provider about a deposit of this user. */
  async askAbout(uId: string, depositId: string): Promise<void> {
    await this.ask(await this.#row(uId, depositId));
  }

  /** Returns the answer of the provider. Null when it fails or takes too long. */
  #inTime<Answer>({ order_no: order }: Row, ask: () => Promise<Answer>): Promise<Answer | null> {
    const { clock, log } = this.#with;
    return new Promise<Answer | null>((resolve) => {
      const timer = clock.after(DEPOSIT_RULES.answerMs, () => resolve(null));
      ask()
        .catch((error: unknown) => {
          log.error('the payment provider failed', { order, error });
          return null;
        })
        .then(
          (answer) => {
            timer.cancel();
            resolve(answer);
          },
          () => resolve(null),
        );
    });
  }

  /**
   * Stores the result of a payment, and credits the coins of a paid one once, however often the provider reports it. A
   * paid one stays paid. A given-up one that is paid after all gets its coins.
   */
  async #settle(
    { u_id: uId, deposit_id: depositId }: Row,
    outcome: PaymentOutcome | { readonly status: 'expired' },
  ): Promise<void> {
    const { database, clock, wallets } = this.#with;
    const now = clock.wallTime();
    const isPaid = await database.transact(async (transaction) => {
      await database.lock(transaction, `deposits of ${uId}`);
      const isFirst = await this.#isFirst(transaction, uId);
      const changed = await transaction
        .updateTable('ringback_deposits')
        .set({
          status: outcome.status,
          failure: outcome.status === 'failed' ? outcome.failure : null,
          ...(outcome.status === 'pending' ? { pay_code: outcome.payCode } : { settled_at: now }),
        })
        .where('deposit_id', '=', depositId)
        .where('u_id', '=', uId)
        .where('status', 'in', FROM[outcome.status])
        .returningAll()
        .executeTakeFirst();
      if (!changed || outcome.status !== 'paid') return false;
      const extra = isFirst ? Math.floor((changed.coins * DEPOSIT_RULES.firstBonusPercent) / 100) : 0;
      await this.#credit(transaction, { ...changed, bonus: changed.bonus + extra }, now);
      return true;
    });
    if (isPaid) await wallets.credited(uId);
  }

  async one(uId: string, depositId: string): Promise<Deposit> {
    await this.#expire(uId);
    return depositOf(await this.#row(uId, depositId));
  }

  async list(uId: string, { cursor, limit, status, month }: ReadRequest<'deposits'>['query']) {
    await this.#expire(uId);
    let query = this.#with.database.db
      .selectFrom('ringback_deposits')
      .where('u_id', '=', uId)
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('deposit_id', 'desc')
      .limit(limit + 1);
    if (status !== undefined) query = query.where('status', '=', status);
    if (month !== undefined) {
      const { from, to } = monthSpan(month);
      query = query.where('created_at', '>=', from).where('created_at', '<', to);
    }
    if (cursor !== undefined) {
      if (!v.is(cursorText, cursor))
        throw new Refusal('invalid', 'The cursor does not belong to this list.', { field: 'cursor' });
      const [at = '', id = ''] = cursor.split('.');
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'deposit_id'), '<', tuple(Number(at), id)),
      );
    }
    const rows = await query.execute();
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(depositOf),
      next: rows.length > limit && last ? `${last.created_at}.${last.deposit_id}` : null,
    };
  }

  async wallet(uId: string): Promise<Wallet> {
    await this.#expire(uId);
    const { database, ledger } = this.#with;
    return {
      coins: await ledger.balance(`coins:${uId}`),
      held: await ledger.balance(`held:${uId}`),
      ...(await this.#limitOf(database.db, uId)),
      is_first_deposit: await this.#isFirst(database.db, uId),
    };
  }

  /**
   * Sets the monthly limit. A lower limit takes effect at once, a higher one after a day, as a protection of the user.
   */
  async setLimit(uId: string, wanted: number): Promise<void> {
    const { database, clock } = this.#with;
    const now = clock.wallTime();
    await database.transact(async (transaction) => {
      await keepAccount(database, transaction, uId);
      await database.lock(transaction, `deposits of ${uId}`);
      const { limit, next_limit } = await this.#limitOf(transaction, uId);
      // A waiting limit keeps its time.
      if (wanted === next_limit) return;
      const isHigher = wanted > limit;
      const row = {
        limit_now: isHigher ? limit : wanted,
        limit_next: isHigher ? wanted : null,
        next_at: isHigher ? now + DEPOSIT_RULES.coolOffMs : null,
      };
      await transaction
        .insertInto('ringback_deposit_limits')
        .values({ u_id: uId, ...row })
        .onConflict((conflict) => conflict.column('u_id').doUpdateSet(row))
        .execute();
    });
  }

  async #limitOf(db: Transaction<Tables> | Parts['database']['db'], uId: string) {
    const now = this.#with.clock.wallTime();
    const own = await db.selectFrom('ringback_deposit_limits').where('u_id', '=', uId).selectAll().executeTakeFirst();
    const isDue = own?.next_at != null && own.next_at <= now;
    const { from, to } = monthSpan(monthOf(now));
    const row = await db
      .selectFrom('ringback_deposits')
      .where('u_id', '=', uId)
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .where('status', 'in', [...OPEN, 'paid'])
      .select(({ fn }) => fn.sum<number | string | null>('price').as('spent'))
      .executeTakeFirst();
    return {
      limit: (isDue ? own.limit_next : own?.limit_now) ?? DEPOSIT_RULES.monthlyLimit,
      spent: Number(row?.spent ?? 0),
      next_limit: isDue ? null : (own?.limit_next ?? null),
      next_limit_at: isDue ? null : (own?.next_at ?? null),
    };
  }

  async #isFirst(db: Transaction<Tables> | Parts['database']['db'], uId: string): Promise<boolean> {
    const paid = await db
      .selectFrom('ringback_deposits')
      .where('u_id', '=', uId)
      .where('status', '=', 'paid')
      .select('deposit_id')
      .limit(1)
      .executeTakeFirst();
    return paid === undefined;
  }

  async #credit(transaction: Transaction<Tables>, { deposit_id, u_id, coins, bonus }: Row, at: number): Promise<void> {
    const { ledger } = this.#with;
    await transaction.updateTable('ringback_deposits').set({ bonus }).where('deposit_id', '=', deposit_id).execute();
    const ref = { deposit: deposit_id };
    await ledger.post(transaction, {
      key: `deposit:${deposit_id}`,
      kind: 'deposit',
      at,
      ref,
      lines: [
        { account: 'house:sold', delta: -coins },
        { account: `coins:${u_id}`, delta: coins },
      ],
    });
    if (bonus === 0) return;
    await ledger.post(transaction, {
      key: `deposit:${deposit_id}:bonus`,
      kind: 'bonus',
      at,
      ref,
      lines: [
        { account: 'house:bonus', delta: -bonus },
        { account: `coins:${u_id}`, delta: bonus },
      ],
    });
  }

  /** Asks the provider about codes and external payments that have expired. */
  async #expire(uId: string): Promise<void> {
    const { database, clock } = this.#with;
    const late = await database.db
      .selectFrom('ringback_deposits')
      .where('u_id', '=', uId)
      .where('status', '=', 'pending')
      .where('expires_at', '<=', clock.wallTime())
      .selectAll()
      .execute();
    for (const row of late) await this.ask(row);
  }

  async #row(uId: string, depositId: string): Promise<Row> {
    const row = await this.#with.database.db
      .selectFrom('ringback_deposits')
      .where('deposit_id', '=', depositId)
      .where('u_id', '=', uId)
      .selectAll()
      .executeTakeFirst();
    // A deposit of another user gets the same answer as an unknown one (S06).
    if (!row) throw new Refusal('not_found', 'No deposit of this user has this id.');
    return row;
  }
}

const depositOf = ({ method, status, failure, ...row }: Row): Deposit => ({
  ...row,
  method: v.parse(depositMethod, method),
  status: v.parse(depositStatus, status),
  failure: v.parse(v.nullable(depositFailure), failure),
});
