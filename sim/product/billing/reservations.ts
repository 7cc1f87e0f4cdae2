import type { Transaction } from 'kysely';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import { statementOfOne } from '../../store/statement.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { chunksOf } from '../many-rows.ts';
import type { CallKind } from '../../../src/protocol/product/calls.ts';

/** A call that a man pays, at the price of the moment of the dial. */
export interface BilledCall {
  readonly callId: string;
  /** The user id of the payer. */
  readonly man: string;
  /** The user id of the earner. */
  readonly woman: string;
  readonly kind: CallKind;
  /** Coins a minute. */
  readonly rate: number;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Returns whether the exchange of this server knows the call. */
  readonly isLive: (callId: string) => boolean;
}

/** A younger reservation may belong to a call that is being dialled at this moment. Milliseconds. */
const DIALLING_MS = 60_000;

/**
 * Reservations of calls for the men who pay them, from the dial on. A reservation holds the coins of the first minute.
 * Each man has at most one row, so only one of two parallel dials succeeds.
 */
export class Reservations {
  readonly #with: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /**
   * Finds the call as it was reserved, currently or within a transaction. Undefined for a call that was free at the dial.
   */
  async of(callId: string, db: Database['db'] = this.#with.database.db): Promise<BilledCall | undefined> {
    const row = await find(db, { callId });
    return row && { ...row, callId, kind: row.kind === 'video' ? 'video' : 'voice' };
  }

  /** Returns whether the man has a call that he pays. Releases a reservation whose call no server knows any more. */
  async isPaying(man: string): Promise<boolean> {
    const row = await this.#find(man);
    if (!row) return false;
    await this.releaseLeft(DIALLING_MS, man);
    return (await this.#find(man)) !== undefined;
  }

  /** Releases a reservation and its coins, once. */
  async release(callId: string): Promise<void> {
    const { database } = this.#with;
    // Most calls that end have no reservation.
    if (!(await this.of(callId))) return;
    await database.transact((transaction) => this.end(transaction, callId));
  }

  /** Releases a reservation and its coins in the transaction of the caller. */
  async end(transaction: Transaction<Tables>, callId: string): Promise<void> {
    const row = await remove(transaction, { callId });
    if (row?.is_held === 1) await this.#with.ledger.release(transaction, row.man, row.rate);
  }

  /**
   * Releases the reservations of calls that no server knows any more.
   *
   * @param silentMs - the least age of a reservation. 0 releases all of them, whatever the clock says.
   * @param man - the only payer to look at. Default: every payer.
   */
  async releaseLeft(silentMs: number, man?: string): Promise<void> {
    const { database, clock, isLive } = this.#with;
    let query = database.db
      .selectFrom('ringback_reservations')
      .where('call_id', 'not in', (live) => live.selectFrom('ringback_live_calls').select('call_id'))
      .where('call_id', 'not in', (page) =>
        page.selectFrom('ringback_charge_sessions').where('is_open', '=', 1).select('session_id'),
      )
      .select('call_id');
    if (man !== undefined) query = query.where('man', '=', man);
    if (silentMs > 0) query = query.where('at', '<=', clock.wallTime() - silentMs);
    for (const { call_id } of await query.execute()) if (!isLive(call_id)) await this.release(call_id);
  }

  /** Records that these calls go on at this server, so that no other one releases their reservations. */
  async touch(callIds: readonly string[]): Promise<void> {
    const { clock, database } = this.#with;
    for (const some of chunksOf(callIds)) {
      await database.db
        .updateTable('ringback_reservations')
        .set({ at: clock.wallTime() })
        .where('call_id', 'in', some)
        .execute();
    }
  }

  /**
   * Reserves a call and holds the coins of its first minute, in the transaction of the caller, which must not commit if
   * this throws. Returns false when the man pays another call, or the call has its reservation.
   *
   * @throws Refusal `insufficient_coins`.
   */
  async hold(transaction: Transaction<Tables>, call: BilledCall, at: number): Promise<boolean> {
    const { callId: call_id, man, woman, kind, rate } = call;
    const made = await add(transaction, { man, call_id, woman, kind, rate, at, is_held: 1 });
    if (!made) return false;
    await this.#with.ledger.hold(transaction, man, rate);
    return true;
  }

  /** Releases the coins held for the first minute, once, if any are held. The reservation stays. */
  async free(transaction: Transaction<Tables>, callId: string): Promise<void> {
    const row = await transaction
      .updateTable('ringback_reservations')
      .set({ is_held: 0 })
      .where('call_id', '=', callId)
      .where('is_held', '=', 1)
      .returning(['man', 'rate'])
      .executeTakeFirst();
    if (row) await this.#with.ledger.release(transaction, row.man, row.rate);
  }

  #find(man: string) {
    return this.#with.database.db
      .selectFrom('ringback_reservations')
      .where('man', '=', man)
      .select('call_id')
      .executeTakeFirst();
  }
}

/** Adds a reservation, unless its man has one or its call has one. */
const add = statementOfOne((db, { man, call_id, woman, kind, rate, at, is_held }: Tables['ringback_reservations']) =>
  db
    .insertInto('ringback_reservations')
    .values({ man, call_id, woman, kind, rate, at, is_held })
    .onConflict((conflict) => conflict.doNothing())
    .returning('man'),
);

const find = statementOfOne((db, { callId }: Pick<BilledCall, 'callId'>) =>
  db.selectFrom('ringback_reservations').where('call_id', '=', callId).select(['man', 'woman', 'kind', 'rate']),
);

const remove = statementOfOne((db, { callId }: Pick<BilledCall, 'callId'>) =>
  db.deleteFrom('ringback_reservations').where('call_id', '=', callId).returning(['man', 'rate', 'is_held']),
);
