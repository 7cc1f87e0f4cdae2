import type { Selectable, Transaction } from 'kysely';
import * as v from 'valibot';
import type { CodeSent } from '../../../src/protocol/product/accounts.ts';
import {
  type PayoutAccount,
  redemption,
  type Redemption,
  type Requirement,
} from '../../../src/protocol/product/points.ts';
import type { TimerHandle } from '../../exchange/ports.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { confirming, type KeptContact, settledContact } from '../accounts/contacts.ts';
import { houseDay } from '../wallet/house-calendar.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { DAY_MS, HOUSE_OFFSET_MS, REDEMPTION_RULES } from '../rules.ts';
import { type PayoutAccounts, tailOf } from './payout-accounts.ts';
import type { PayoutDesk } from './payout-desk.ts';

type Row = Selectable<Tables['ringback_redemptions']>;
type Change = Partial<Row>;
type Parts = Pick<
  ProductParts,
  'database' | 'clock' | 'ids' | 'log' | 'events' | 'ledger' | 'receipts' | 'charges' | 'contacts' | 'codes'
>;
type Request = {
  readonly amount: number;
  readonly code: string;
  /** Where she was shown that it goes to. */
  readonly account: Pick<PayoutAccount, 'bank_code' | 'tail' | 'changed_at'>;
  readonly key: string;
};

const HUNDREDTHS = 100;

/**
 * Redemptions: pending -> reviewing -> approved -> paid, or rejected by the review, or cancelled while pending. What is asked
 * for is set aside, and paid out or given back at its end. When the next step is due is kept with each, so that it comes also
 * where the server was down then; whoever makes a step makes it alone, so that several servers may.
 */
export class Redemptions {
  readonly #parts: Parts;
  readonly #accounts: PayoutAccounts;
  readonly #desk: PayoutDesk;
  readonly #timers = new Map<string, TimerHandle>();
  readonly #steps = new Set<Promise<void>>();

  constructor(parts: Parts, accounts: PayoutAccounts, desk: PayoutDesk) {
    this.#parts = parts;
    this.#accounts = accounts;
    this.#desk = desk;
  }

  /** Goes on with those that have not come to their end. */
  async resume(): Promise<void> {
    const rows = await this.#parts.database.db
      .selectFrom('ringback_redemptions')
      .where('due_at', 'is not', null)
      .select(['redemption_id', 'due_at'])
      .execute();
    for (const { redemption_id, due_at } of rows) this.#await(redemption_id, due_at ?? 0);
  }

  dispose(): void {
    for (const id of [...this.#timers.keys()]) this.#forget(id);
  }

  /** Resolves when no step is being made. */
  async settled(): Promise<void> {
    while (this.#steps.size > 0) await Promise.all(this.#steps);
  }

  /** Makes earned points available that were earned long enough ago. */
  async settlePoints(uId: string): Promise<void> {
    const { database, clock, charges } = this.#parts;
    const now = clock.now();
    const due = await database.db
      .selectFrom('ringback_settlements')
      .where('u_id', '=', uId)
      .where('due_at', '<=', now)
      .select('transfer')
      .limit(1)
      .executeTakeFirst();
    if (!due) return;
    await database.transact((transaction) => charges.settle(transaction, uId, now));
    await this.#tellPoints(uId);
  }

  /** What has to be there before she redeems. */
  async missing(uId: string, db = this.#parts.database.db): Promise<Requirement[]> {
    const profile = await db
      .selectFrom('ringback_profiles')
      .where('u_id', '=', uId)
      .select('verified')
      .executeTakeFirst();
    const { contact, from } = confirming(await this.#parts.contacts.of(uId, db), this.#parts.clock.now());
    const lacking = from === null ? 'contact' : 'older_contact';
    const account = await this.#accounts.find(uId, db);
    const hasAccount = account !== undefined && account.name_match !== 'differs';
    return [
      ...(profile?.verified === 1 ? [] : (['identity'] as const)),
      ...(contact ? [] : ([lacking] as const)),
      ...(hasAccount ? [] : (['payout_account'] as const)),
    ];
  }

  /** @throws Refusal incomplete, cooling_off, too_many, undeliverable. */
  async sendCode(uId: string): Promise<CodeSent> {
    return this.#parts.codes.send(await this.#contact(uId), `confirm:${uId}`, uId);
  }

  /** How much may be asked for today still, whole points. */
  async leftToday(uId: string, db = this.#parts.database.db): Promise<number> {
    const today = houseDay(this.#parts.clock.now()) * DAY_MS - HOUSE_OFFSET_MS;
    const row = await db
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('created_at', '>=', today)
      .where('state', 'not in', ['rejected', 'cancelled'])
      .select(({ fn }) => fn.sum<number | string | null>('amount').as('amount'))
      .executeTakeFirst();
    return Math.max(0, REDEMPTION_RULES.dailyMost - Number(row?.amount ?? 0));
  }

  /** The one that has not come to its end. */
  async open(uId: string): Promise<Redemption | null> {
    await this.#advanceOf(uId);
    const row = await this.#parts.database.db
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('due_at', 'is not', null)
      .selectAll()
      .executeTakeFirst();
    return row ? shown(row) : null;
  }

  /** The latest first. @throws Refusal invalid: the cursor is of another list. */
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
        throw new Refusal('invalid', 'The cursor is not of this list.', { field: 'cursor' });
      }
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'redemption_id'), '<', tuple(Number(at), id)),
      );
    }
    const rows = await query.execute();
    const last = rows[limit - 1];
    return {
      items: rows.slice(0, limit).map(shown),
      next: rows.length > limit && last ? `${last.created_at}.${last.redemption_id}` : null,
    };
  }

  /**
   * Sets points aside to be paid out.
   *
   * @throws Refusal invalid, incomplete, cooling_off, wrong_state (there is an open one, or the account is another by now), limit_reached, insufficient_points; code_wrong,
   *   code_expired, code_spent.
   */
  async request(uId: string, { amount, code, account: shownAccount, key }: Request): Promise<Redemption> {
    const { least, step, fee } = REDEMPTION_RULES;
    if (amount < least || amount % step !== 0) {
      throw new Refusal('invalid', `amount is wrong: at least ${least}, in steps of ${step}.`, { field: 'amount' });
    }
    await this.#advanceOf(uId);
    const { receipts, clock, ids, charges, codes, ledger } = this.#parts;
    const now = clock.now();
    const redemption_id = ids.uuid();
    const { waitsMs, reviewsMs, paysMs } = this.#desk;
    const asked = { uId, name: 'redeem' as const, key, asked: { amount, account: shownAccount } };
    await this.#confirm(asked, code);
    const { answer, isFirst } = await receipts.once(asked, async (transaction) => {
      await this.#lock(transaction, uId);
      const contact = await this.#ready(uId, transaction);
      const account = await this.#accounts.find(uId, transaction);
      if (!account) throw incomplete('payout_account');
      if (!isSame(account, shownAccount)) {
        const message = `Points go to another account by now: ${account.bank_code} …${tailOf(account.account_number)}.`;
        throw new Refusal('wrong_state', message, { field: 'account' });
      }
      const open = await transaction
        .selectFrom('ringback_redemptions')
        .where('u_id', '=', uId)
        .where('due_at', 'is not', null)
        .select('redemption_id')
        .executeTakeFirst();
      if (open) throw new Refusal('wrong_state', 'There is a redemption that has not come to its end.');
      if (amount > (await this.leftToday(uId, transaction))) {
        throw new Refusal('limit_reached', 'It is more than may be redeemed today.', { field: 'amount' });
      }
      await codes.consume(transaction, contact, `confirm:${uId}`);
      await charges.settle(transaction, uId, now);
      await ledger.post(transaction, {
        key: `redeem:${redemption_id}`,
        kind: 'hold',
        at: now,
        ref: { redemption: redemption_id },
        lines: [
          { account: `points:${uId}`, delta: -amount * HUNDREDTHS },
          { account: `reviewing:${uId}`, delta: amount * HUNDREDTHS },
        ],
      });
      const { bank_code, account_number, holder } = account;
      const row: Row = {
        redemption_id,
        u_id: uId,
        amount,
        fee,
        bank_code,
        account_number,
        holder,
        state: 'pending',
        fault: null,
        created_at: now,
        reviewing_at: null,
        decided_at: null,
        ended_at: null,
        expected_at: now + waitsMs + reviewsMs + paysMs,
        due_at: now + waitsMs,
      };
      await transaction.insertInto('ringback_redemptions').values(row).execute();
      return shown(row);
    });
    if (isFirst) {
      this.#await(redemption_id, now + waitsMs);
      await this.#tell(uId, answer);
    }
    return answer;
  }

  /** @throws Refusal not_found, also where it is somebody else's; wrong_state: somebody looks at it, or it is at its end. */
  async cancel(uId: string, redemptionId: string): Promise<Redemption> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    const cancelled = await database.transact(async (transaction) => {
      await this.#lock(transaction, uId);
      const row = await find(transaction, redemptionId);
      if (row?.u_id !== uId) throw new Refusal('not_found', 'There is no such redemption.');
      if (row.state !== 'pending' || (row.due_at ?? 0) <= now) {
        throw new Refusal('wrong_state', 'Only what nobody looks at yet can be cancelled.');
      }
      await this.#giveBack(transaction, row, now);
      return change(transaction, row, { state: 'cancelled', ended_at: now, due_at: null });
    });
    this.#forget(redemptionId);
    const answer = shown(cancelled);
    await this.#tell(uId, answer);
    return answer;
  }

  /**
   * Brings the open redemption of a user whose account is being closed to its end: one that is approved is with the bank and
   * counts as paid, any other is cancelled.
   */
  async close(transaction: Transaction<Tables>, uId: string): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#lock(transaction, uId);
    const row = await transaction
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('due_at', 'is not', null)
      .selectAll()
      .executeTakeFirst();
    if (!row) return;
    if (row.state === 'approved') await this.#pay(transaction, row, now);
    else await this.#giveBack(transaction, row, now);
    const state = row.state === 'approved' ? 'paid' : 'cancelled';
    await change(transaction, row, { state, ended_at: now, due_at: null });
  }

  /** The code must be hers, but for a request that was answered already: its code is used up. */
  async #confirm(request: { uId: string; name: 'redeem'; key: string }, code: string): Promise<void> {
    const { receipts, codes } = this.#parts;
    if (await receipts.isAnswered(request)) return;
    const { uId } = request;
    const contact = await this.#ready(uId);
    try {
      await codes.check(contact, `confirm:${uId}`, code, uId);
    } catch (error) {
      // Another one of the same key was answered meanwhile.
      if (!(await receipts.isAnswered(request))) throw error;
    }
  }

  /** Sees to it that nothing is missing: where the code was sent to. @throws Refusal incomplete, cooling_off. */
  async #ready(uId: string, db = this.#parts.database.db): Promise<KeptContact> {
    const [missing] = await this.missing(uId, db);
    if (missing && missing !== 'older_contact') throw incomplete(missing);
    return this.#contact(uId, db);
  }

  /** Where the code goes to that confirms a redemption. @throws Refusal incomplete, cooling_off. */
  async #contact(uId: string, db = this.#parts.database.db): Promise<KeptContact> {
    return settledContact(await this.#parts.contacts.of(uId, db), this.#parts.clock.now());
  }

  #await(id: string, due: number): void {
    const { clock, log } = this.#parts;
    this.#forget(id);
    const step = (): void => {
      this.#timers.delete(id);
      const made = this.#advance(id)
        .catch((error: unknown) => log.error('a redemption was not moved on', { error }))
        .finally(() => this.#steps.delete(made));
      this.#steps.add(made);
    };
    this.#timers.set(id, clock.setTimeout(step, Math.max(0, due - clock.now())));
  }

  #forget(id: string): void {
    const timer = this.#timers.get(id);
    if (timer) this.#parts.clock.clearTimeout(timer);
    this.#timers.delete(id);
  }

  /** Makes the steps of her open one that are due, also where another server has not. */
  async #advanceOf(uId: string): Promise<void> {
    const row = await this.#parts.database.db
      .selectFrom('ringback_redemptions')
      .where('u_id', '=', uId)
      .where('due_at', '<=', this.#parts.clock.now())
      .select('redemption_id')
      .executeTakeFirst();
    if (row) await this.#advance(row.redemption_id);
  }

  async #advance(id: string): Promise<void> {
    const { database, clock } = this.#parts;
    for (;;) {
      const now = clock.now();
      const moved = await database.transact(async (transaction) => {
        const known = await find(transaction, id);
        if (!known) return null;
        await this.#lock(transaction, known.u_id);
        // Once more: it may have been cancelled while this waited.
        const row = await find(transaction, id);
        if (row === undefined || row.due_at === null || row.due_at > now) return null;
        return this.#step(transaction, row, row.due_at, now);
      });
      if (moved === null) break;
      await this.#tell(moved.u_id, shown(moved));
    }
    const left = await find(database.db, id);
    if (left?.due_at == null) this.#forget(id);
    else this.#await(id, left.due_at);
  }

  /** What is due comes about. @param at - when it was due: the times after it go on from there. */
  async #step(transaction: Transaction<Tables>, row: Row, at: number, now: number): Promise<Row> {
    const state = v.parse(redemption.entries.state, row.state);
    switch (state) {
      case 'pending':
        return change(transaction, row, {
          state: 'reviewing',
          reviewing_at: at,
          due_at: at + this.#desk.reviewsMs,
        });
      case 'reviewing': {
        const { u_id: uId, bank_code: bankCode, account_number: accountNumber, holder } = row;
        const fault = this.#desk.decide({ uId, bankCode, accountNumber, holder });
        await tellName(transaction, row, fault === 'name_differs' ? 'differs' : 'matches');
        if (fault === null) {
          return change(transaction, row, { state: 'approved', decided_at: at, due_at: at + this.#desk.paysMs });
        }
        await this.#giveBack(transaction, row, now);
        return change(transaction, row, { state: 'rejected', fault, decided_at: at, ended_at: at, due_at: null });
      }
      case 'approved':
        await this.#pay(transaction, row, now);
        return change(transaction, row, { state: 'paid', ended_at: at, due_at: null });
      case 'paid':
      case 'rejected':
      case 'cancelled':
        throw new Error(`The redemption ${row.redemption_id} is ${state} and has a step that is due.`);
      default:
        return state satisfies never;
    }
  }

  async #pay(transaction: Transaction<Tables>, row: Row, at: number): Promise<void> {
    await this.#parts.ledger.post(transaction, {
      key: `redeem:${row.redemption_id}:paid`,
      kind: 'redeem',
      at,
      ref: { redemption: row.redemption_id },
      lines: [
        { account: `reviewing:${row.u_id}`, delta: -row.amount * HUNDREDTHS },
        { account: 'house:redeemed', delta: (row.amount - row.fee) * HUNDREDTHS },
        { account: 'house:fees', delta: row.fee * HUNDREDTHS },
      ],
    });
  }

  async #giveBack(transaction: Transaction<Tables>, row: Row, at: number): Promise<void> {
    await this.#parts.ledger.post(transaction, {
      key: `redeem:${row.redemption_id}:back`,
      kind: 'hold',
      at,
      ref: { redemption: row.redemption_id },
      lines: [
        { account: `reviewing:${row.u_id}`, delta: -row.amount * HUNDREDTHS },
        { account: `points:${row.u_id}`, delta: row.amount * HUNDREDTHS },
      ],
    });
  }

  /** What one woman's redemptions are changed by waits here. */
  #lock(transaction: Transaction<Tables>, uId: string): Promise<void> {
    return this.#parts.database.lock(transaction, `redemptions ${uId}`);
  }

  async #tell(uId: string, changed: Redemption): Promise<void> {
    this.#parts.events.tell([uId], { type: 'redemption_changed', redemption: changed });
    await this.#tellPoints(uId);
  }

  async #tellPoints(uId: string): Promise<void> {
    const { events, ledger } = this.#parts;
    if (!events.hears(uId)) return;
    const [available, settling, reviewing] = await Promise.all([
      ledger.balance(`points:${uId}`),
      ledger.balance(`settling:${uId}`),
      ledger.balance(`reviewing:${uId}`),
    ]);
    events.tell([uId], { type: 'points_changed', available, settling, reviewing });
  }
}

const incomplete = (missing: Requirement): Refusal =>
  new Refusal('incomplete', `The ${missing} is missing.`, { field: missing });

const find = (db: Parts['database']['db'], id: string): Promise<Row | undefined> =>
  db.selectFrom('ringback_redemptions').where('redemption_id', '=', id).selectAll().executeTakeFirst();

async function change(transaction: Transaction<Tables>, row: Row, changed: Change): Promise<Row> {
  await transaction
    .updateTable('ringback_redemptions')
    .set(changed)
    .where('redemption_id', '=', row.redemption_id)
    .execute();
  return { ...row, ...changed };
}

/** What a review says of a name holds for the account that it looked at, if that is still hers. */
async function tellName(transaction: Transaction<Tables>, row: Row, name_match: string): Promise<void> {
  await transaction
    .updateTable('ringback_payout_accounts')
    .set({ name_match })
    .where('u_id', '=', row.u_id)
    .where('bank_code', '=', row.bank_code)
    .where('account_number', '=', row.account_number)
    .where('holder', '=', row.holder)
    .execute();
}

const shown = (row: Row): Redemption =>
  v.parse(redemption, { ...row, net: row.amount - row.fee, tail: tailOf(row.account_number) });

/** Whether nothing has been changed of an account since it was shown. */
const isSame = (
  kept: { readonly bank_code: string; readonly account_number: string; readonly changed_at: number },
  seen: Request['account'],
): boolean =>
  kept.bank_code === seen.bank_code && tailOf(kept.account_number) === seen.tail && kept.changed_at === seen.changed_at;
