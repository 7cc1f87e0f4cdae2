import type { Transaction } from 'kysely';
import type { PayoutAccount, Redemption } from '../../../src/protocol/product/points.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { KeyedTimers } from '../keyed-timers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { REDEMPTION_RULES } from '../rules.ts';
import { type PayoutAccounts, tailOf } from './payout-accounts.ts';
import type { PayoutDesk } from './payout-desk.ts';
import { incomplete, type RedeemRequirements } from './redeem-requirements.ts';
import {
  changeRedemption,
  findRedemption,
  insertRedemption,
  type RedemptionRow,
  shownRedemption,
} from './redemption-rows.ts';
import { HUNDREDTHS, RedemptionSteps } from './redemption-steps.ts';

type Parts = Pick<
  ProductParts,
  'database' | 'clock' | 'ids' | 'log' | 'events' | 'ledger' | 'receipts' | 'charges' | 'codes'
>;
type Request = {
  readonly amount: number;
  readonly code: string;
  /** The payout account that the user has confirmed. */
  readonly account: Pick<PayoutAccount, 'bank_code' | 'tail' | 'changed_at'>;
  readonly key: string;
};

/** A redemption that is being requested. */
interface NewRedemption extends Pick<Request, 'amount' | 'account'> {
  readonly id: string;
  readonly uId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Redemptions of points. The states are pending -> reviewing -> approved -> paid, or rejected by the review, or
 * cancelled while pending. The points are set aside at the request, and paid out or returned at the end. Each row
 * stores when its next step is due, so a step also runs after downtime. Steps lock the row, so that several servers can
 * run them.
 */
export class Redemptions {
  readonly #parts: Parts;
  readonly #accounts: PayoutAccounts;
  readonly #requirements: RedeemRequirements;
  readonly #desk: PayoutDesk;
  readonly #steps: RedemptionSteps;
  readonly #timers: KeyedTimers;
  readonly #works = new Set<Promise<void>>();

  constructor(parts: Parts, accounts: PayoutAccounts, requirements: RedeemRequirements, desk: PayoutDesk) {
    this.#parts = parts;
    this.#accounts = accounts;
    this.#requirements = requirements;
    this.#desk = desk;
    this.#steps = new RedemptionSteps(parts.ledger, desk);
    this.#timers = new KeyedTimers(parts.clock);
  }

  /** Schedules the next steps of open redemptions. */
  async resume(): Promise<void> {
    const rows = await this.#parts.database.db
      .selectFrom('ringback_redemptions')
      .where('due_at', 'is not', null)
      .select(['redemption_id', 'due_at'])
      .execute();
    for (const { redemption_id, due_at } of rows) this.#await(redemption_id, due_at ?? 0);
  }

  dispose(): void {
    this.#timers.dispose();
  }

  /** Resolves when no step is in progress. */
  async settled(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }

  /** Makes points available that were earned long enough ago. */
  async settlePoints(uId: string): Promise<void> {
    const { database, clock, charges } = this.#parts;
    const now = clock.wallTime();
    const due = await database.db
      .selectFrom('ringback_settlements')
      .where('u_id', '=', uId)
      .where('due_at', '<=', now)
      .select('transfer')
      .limit(1)
      .executeTakeFirst();
    if (!due) return;
    await database.transact((transaction) => charges.settle(transaction, uId, now));
    await this.#publishPoints(uId);
  }

  /** Returns the open redemption. Null without one. */
  async open(uId: string): Promise<Redemption | null> {
    await this.#advanceOf(uId);
    const row = await this.#parts.database.db
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('due_at', 'is not', null)
      .selectAll()
      .executeTakeFirst();
    return row ? shownRedemption(row) : null;
  }

  /** Lists redemptions, the latest first. @throws Refusal `invalid` when the cursor belongs to another list. */
  async list(uId: string, { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number }) {
    await this.#advanceOf(uId);
    let query = this.#parts.database.db
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('redemption_id', 'desc')
      .limit(limit + 1);
    if (cursor !== undefined) {
      const [, at, id] = /^(\d{1,15})\.([\w-]+)$/.exec(cursor) ?? [];
      if (at === undefined || id === undefined) {
        throw new Refusal('invalid', 'The cursor does not belong to this list.', { field: 'cursor' });
      }
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'redemption_id'), '<', tuple(Number(at), id)),
      );
    }
    const rows = await query.execute();
    const last = rows[limit - 1];
    return {
      items: rows.slice(0, limit).map(shownRedemption),
      next: rows.length > limit && last ? `${last.created_at}.${last.redemption_id}` : null,
    };
  }

  /**
   * Sets points aside for a payout.
   *
   * @throws Refusal `invalid`, `incomplete`, `cooling_off`, `limit_reached`, `insufficient_points`, `code_wrong`,
   * `code_expired`, `code_spent`. `wrong_state` when there is an open redemption, or the account has changed.
   */
  async request(uId: string, { amount, code, account, key }: Request): Promise<Redemption> {
    const { least, step } = REDEMPTION_RULES;
    if (amount < least || amount % step !== 0) {
      throw new Refusal('invalid', `amount must be at least ${least}, in steps of ${step}.`, { field: 'amount' });
    }
    await this.#advanceOf(uId);
    const { receipts, clock, ids } = this.#parts;
    const now = clock.wallTime();
    const id = ids.uuid();
    const request = { uId, name: 'redeem' as const, key, content: { amount, account } };
    await this.#confirm(request, code);
    return receipts.once(request, {
      run: async (transaction) => {
        const row = await this.#reserve(transaction, { id, uId, amount, account, now });
        const made = shownRedemption(row);
        return { answer: made, changed: made };
      },
      afterCommit: async (made) => {
        this.#await(id, now + this.#desk.waitsMs);
        await this.#publish(uId, made);
      },
    });
  }

  /**
   * Cancels a redemption. @throws Refusal `not_found`, also for another user's; `wrong_state` when its review has
   * started.
   */
  async cancel(uId: string, redemptionId: string): Promise<Redemption> {
    const { database, clock } = this.#parts;
    const now = clock.wallTime();
    const cancelled = await database.transact(async (transaction) => {
      await this.#lock(transaction, uId);
      const row = await findRedemption(transaction, redemptionId);
      if (row?.u_id !== uId) throw new Refusal('not_found', 'No redemption of this user has this id.');
      if (row.state !== 'pending' || (row.due_at ?? 0) <= now) {
        throw new Refusal('wrong_state', 'A redemption cannot be cancelled after its review has started.');
      }
      await this.#steps.giveBack(transaction, row, now);
      return changeRedemption(transaction, row, { state: 'cancelled', ended_at: now, due_at: null });
    });
    this.#timers.cancel(redemptionId);
    const answer = shownRedemption(cancelled);
    await this.#publish(uId, answer);
    return answer;
  }

  /**
   * Ends the open redemption of a user whose account is being closed. An approved one is with the bank and counts as
   * paid. Any other is cancelled.
   */
  async close(transaction: Transaction<Tables>, uId: string): Promise<void> {
    const now = this.#parts.clock.wallTime();
    await this.#lock(transaction, uId);
    const row = await transaction
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('due_at', 'is not', null)
      .selectAll()
      .executeTakeFirst();
    if (!row) return;
    if (row.state === 'approved') await this.#steps.pay(transaction, row, now);
    else await this.#steps.giveBack(transaction, row, now);
    const state = row.state === 'approved' ? 'paid' : 'cancelled';
    await changeRedemption(transaction, row, { state, ended_at: now, due_at: null });
  }

  /** Checks the code. A request that was answered before needs no code, since its code is used up. */
  async #confirm(request: { uId: string; name: 'redeem'; key: string }, code: string): Promise<void> {
    const { receipts, codes } = this.#parts;
    if (await receipts.isAnswered(request)) return;
    const { uId } = request;
    const contact = await this.#requirements.ready(uId);
    try {
      await codes.check(contact, `confirm:${uId}`, code, uId);
    } catch (error) {
      // A parallel request with the same key was answered meanwhile.
      if (!(await receipts.isAnswered(request))) throw error;
    }
  }

  /** Sets the points of a new redemption aside. @throws Refusal as {@link request} does. */
  async #reserve(
    transaction: Transaction<Tables>,
    { id, uId, amount, account: shownAccount, now }: NewRedemption,
  ): Promise<RedemptionRow> {
    await this.#lock(transaction, uId);
    const { charges, codes, ledger } = this.#parts;
    const contact = await this.#requirements.ready(uId, transaction);
    const account = await this.#accounts.find(uId, transaction);
    if (!account) throw incomplete('payout_account');
    if (!isSame(account, shownAccount)) {
      const message = `The payout account has changed to ${account.bank_code} …${tailOf(account.account_number)}.`;
      throw new Refusal('wrong_state', message, { field: 'account' });
    }
    const open = await transaction
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('due_at', 'is not', null)
      .select('redemption_id')
      .executeTakeFirst();
    if (open) throw new Refusal('wrong_state', 'This user has an open redemption.');
    if (amount > (await this.#requirements.leftToday(uId, transaction))) {
      throw new Refusal('limit_reached', 'The amount exceeds the points that may still be redeemed today.', {
        field: 'amount',
      });
    }
    await codes.consume(transaction, contact, `confirm:${uId}`);
    await charges.settle(transaction, uId, now);
    await ledger.post(transaction, {
      key: `redeem:${id}`,
      kind: 'hold',
      at: now,
      ref: { redemption: id },
      lines: [
        { account: `points:${uId}`, delta: -amount * HUNDREDTHS },
        { account: `reviewing:${uId}`, delta: amount * HUNDREDTHS },
      ],
    });
    const { bank_code, account_number, holder } = account;
    const given = { redemption_id: id, u_id: uId, amount, bank_code, account_number, holder };
    return insertRedemption(transaction, given, now, this.#desk);
  }

  #await(id: string, due: number): void {
    const { clock, log } = this.#parts;
    const step = (): void => {
      const made = this.#advance(id)
        .catch((error: unknown) => log.error('a step of a redemption failed', { error }))
        .finally(() => this.#works.delete(made));
      this.#works.add(made);
    };
    this.#timers.set(id, due - clock.wallTime(), step);
  }

  /** Makes the due steps of the user's open redemption, also those that another server has missed. */
  async #advanceOf(uId: string): Promise<void> {
    const row = await this.#parts.database.db
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('due_at', '<=', this.#parts.clock.wallTime())
      .select('redemption_id')
      .executeTakeFirst();
    if (row) await this.#advance(row.redemption_id);
  }

  async #advance(id: string): Promise<void> {
    const { database, clock } = this.#parts;
    for (;;) {
      const now = clock.wallTime();
      const moved = await database.transact(async (transaction) => {
        const known = await findRedemption(transaction, id);
        if (!known) return null;
        await this.#lock(transaction, known.u_id);
        // Reads the row again, since it may have been cancelled while this waited for the lock.
        const row = await findRedemption(transaction, id);
        if (row === undefined || row.due_at === null || row.due_at > now) return null;
        return this.#steps.make(transaction, row, row.due_at, now);
      });
      if (moved === null) break;
      await this.#publish(moved.u_id, shownRedemption(moved));
    }
    const left = await findRedemption(database.db, id);
    if (left?.due_at == null) this.#timers.cancel(id);
    else this.#await(id, left.due_at);
  }

  /** Locks the redemptions of one user until the transaction ends. */
  #lock(transaction: Transaction<Tables>, uId: string): Promise<void> {
    return this.#parts.database.lock(transaction, `redemptions ${uId}`);
  }

  async #publish(uId: string, changed: Redemption): Promise<void> {
    this.#parts.events.publish([uId], { type: 'redemption_changed', redemption: changed });
    await this.#publishPoints(uId);
  }

  async #publishPoints(uId: string): Promise<void> {
    const { events, ledger } = this.#parts;
    if (!events.isConnected(uId)) return;
    const [available, settling, reviewing] = await Promise.all([
      ledger.balance(`points:${uId}`),
      ledger.balance(`settling:${uId}`),
      ledger.balance(`reviewing:${uId}`),
    ]);
    events.publish([uId], { type: 'points_changed', available, settling, reviewing });
  }
}

/** Returns whether the account is the one that the user has confirmed. */
const isSame = (
  kept: { readonly bank_code: string; readonly account_number: string; readonly changed_at: number },
  seen: Request['account'],
): boolean =>
  kept.bank_code === seen.bank_code && tailOf(kept.account_number) === seen.tail && kept.changed_at === seen.changed_at;
