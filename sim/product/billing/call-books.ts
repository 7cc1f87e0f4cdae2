import type { Selectable, Transaction } from 'kysely';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import { statement, statementOfOne } from '../../store/statement.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Refusal } from '../refusal.ts';
import { CALL_RULES } from '../rules.ts';
import { dayStart } from '../calendar.ts';
import { chunksOf } from '../many-rows.ts';
import type { BilledCall, Reservations } from './reservations.ts';
import type { Charges } from './charges.ts';
import { minuteBegins, type MeterState } from './meter.ts';

/** The end of a page that no server wrote any more, and whose call is not in the history. */
const SILENT = 'unknown';

/** The page of a call that goes on. */
export interface OpenPage extends BilledCall {
  /** Minutes that were charged. */
  readonly minutes: number;
  /** Hundredths of a point of all these minutes. */
  readonly points: number;
  /** Hundredths of a point of the last minute. */
  readonly lastPoints: number;
  /** Undefined when the call was never on hold. */
  readonly meter: MeterState | undefined;
  /** Since when a minute could not be paid, in the time of the meter. Null while the call is paid. */
  readonly unpaidSince: number | null;
}

/** A call whose media has begun, which may have a reservation. */
interface ReservedCall {
  readonly callId: string;
  readonly caller: string;
  readonly callee: string;
  /** When media began. Milliseconds since the epoch. */
  readonly at: number;
}

/** The end of a call. */
interface Ending {
  readonly endResult: string;
  /** Milliseconds. Null when unknown. */
  readonly duration: number | null;
  /** Minutes that were charged. */
  readonly minutes: number;
  /** Hundredths of a point of the last minute, when it is to be refunded. Null without a refund. */
  readonly lostPoints: number | null;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly charges: Charges;
  readonly reservations: Reservations;
  /** The node that bills. Null without a cluster. */
  readonly owner: string | null;
}

/** Another node bills the call now, so this one must not write about it. */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
}

/**
 * The books of billed calls: each charged minute, and how each call ended. In a cluster each page has an owner. A node
 * that lost a call to another one can no longer write on its page, also before it learns of the loss.
 */
export class CallBooks {
  readonly #with: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /**
   * Opens the page of a reserved call once, at the price of its reservation, which holds the coins of the first minute.
   * Releases a reservation of two other users, since neither of these agreed to its price.
   *
   * @returns the call. Undefined without a reservation of these two.
   */
  async openReserved({ callId, caller, callee, at }: ReservedCall): Promise<BilledCall | undefined> {
    const { database, reservations } = this.#with;
    const sides = [caller, callee];
    return await database.transact(async (transaction) => {
      const call = await reservations.of(callId, transaction);
      if (call && sides.includes(call.man) && sides.includes(call.woman)) {
        await this.#addPage(transaction, call, at);
        return call;
      }
      if (call) await reservations.end(transaction, callId);
      return undefined;
    });
  }

  /** Opens the page of a call without a reservation once. Holds the coins of the first minute if there are enough. */
  async open(call: BilledCall, at: number): Promise<void> {
    const { database, ledger, reservations } = this.#with;
    const { man, rate } = call;
    await database.transact(async (transaction) => {
      const isNew = await this.#addPage(transaction, call, at);
      if (!isNew || (await ledger.balance(`coins:${man}`, transaction)) < rate) return;
      await reservations.hold(transaction, call, at);
    });
  }

  /** Adds the page of a call. Returns false when the call has one. */
  async #addPage(transaction: Transaction<Tables>, call: BilledCall, at: number): Promise<boolean> {
    const { callId: session_id, man, woman, kind, rate } = call;
    const made = await addPage(transaction, { session_id, man, woman, kind, rate, at, owner: this.#with.owner });
    return made !== undefined;
  }

  /**
   * Takes over the page of a call that goes on here, and reads it. A page that was closed because its node was silent is
   * open again. Undefined without such a page.
   */
  async takeOver(callId: string): Promise<OpenPage | undefined> {
    const row = await this.#takeRow(callId);
    if (!row) return undefined;
    const { man, woman, kind, rate, count: minutes, points, unpaid_since: unpaidSince } = row;
    if (kind === 'message' || rate === null) return undefined;
    const lastPoints = await this.#with.charges.earnedBy(this.#with.database.db, `call:${callId}:${minutes}`);
    const meter =
      row.meter_since === null
        ? undefined
        : { before: row.meter_before ?? 0, since: row.meter_since, heldAt: row.meter_held_at };
    return {
      callId,
      man,
      woman,
      kind: kind === 'video' ? 'video' : 'voice',
      rate,
      minutes,
      points,
      lastPoints,
      meter,
      unpaidSince,
    };
  }

  async #takeRow(callId: string): Promise<Selectable<Tables['ringback_charge_sessions']> | undefined> {
    const { clock, database, owner } = this.#with;
    const { db } = database;
    if (owner === null) {
      return db
        .selectFrom('ringback_charge_sessions')
        .where('session_id', '=', callId)
        .where('is_open', '=', 1)
        .selectAll()
        .executeTakeFirst();
    }
    return db
      .updateTable('ringback_charge_sessions')
      .set({ owner, is_open: 1, end_result: null, duration: null, touched_at: clock.wallTime() })
      .where('session_id', '=', callId)
      .where(({ eb, or }) => or([eb('is_open', '=', 1), eb('end_result', '=', SILENT)]))
      .returningAll()
      .executeTakeFirst();
  }

  /** Returns whether another node of the cluster has the page of a call. */
  async isElsewhere(callId: string): Promise<boolean> {
    const { database, owner } = this.#with;
    const row = await database.db
      .selectFrom('ringback_charge_sessions')
      .where('session_id', '=', callId)
      .select('owner')
      .executeTakeFirst();
    return row !== undefined && row.owner !== owner;
  }

  /**
   * Takes a page back that was closed because this node was silent, for a call that has ended here. Returns false when
   * another node has the page, or has closed it for an end.
   */
  async takeBack(callId: string): Promise<boolean> {
    const { clock, database, owner } = this.#with;
    const row = await database.db
      .updateTable('ringback_charge_sessions')
      .set({ owner, is_open: 1, end_result: null, duration: null, touched_at: clock.wallTime() })
      .where('session_id', '=', callId)
      .where('is_open', '=', 0)
      .where('end_result', '=', SILENT)
      .returning('session_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Records that the calls of these pages go on at this node, for the other nodes of its cluster. */
  async touch(callIds: readonly string[]): Promise<void> {
    const { clock, database, owner } = this.#with;
    for (const some of chunksOf(callIds)) {
      await database.db
        .updateTable('ringback_charge_sessions')
        .set({ touched_at: clock.wallTime() })
        .where('session_id', 'in', some)
        .where('owner', '=', owner)
        .execute();
    }
  }

  /** Stores the state of a call, so that another server process can resume it. */
  async keep(callId: string, { before, since, heldAt }: MeterState, unpaidSince: number | null): Promise<void> {
    const { database, owner } = this.#with;
    let query = database.db
      .updateTable('ringback_charge_sessions')
      .set({ meter_before: before, meter_since: since, meter_held_at: heldAt, unpaid_since: unpaidSince })
      .where('session_id', '=', callId);
    if (owner !== null) query = query.where('owner', '=', owner);
    await query.execute();
  }

  /** Locks the page of a call until the transaction ends. @throws NotOwner when another node has it. */
  async #own(transaction: Transaction<Tables>, callId: string, at: number): Promise<void> {
    const { owner } = this.#with;
    if (owner === null) return;
    const row = await transaction
      .updateTable('ringback_charge_sessions')
      .set({ touched_at: at })
      .where('session_id', '=', callId)
      .where('owner', '=', owner)
      .returning('session_id')
      .executeTakeFirst();
    if (!row) throw new NotOwner(`Another node bills the call ${callId}.`);
  }

  /**
   * Charges a minute once.
   *
   * @returns the hundredths of a point that it earned. Null when the man has too few coins.
   * @throws NotOwner when another node bills the call.
   */
  async take(call: BilledCall, minute: number): Promise<number | null> {
    const { database, charges, clock, reservations } = this.#with;
    const { callId, man, woman, kind, rate } = call;
    const at = clock.wallTime();
    try {
      return await database.transact(async (transaction) => {
        await this.#own(transaction, callId, at);
        // These coins have been held for the first minute since the dial.
        if (minute === 1) await reservations.free(transaction, callId);
        const earned = await charges.take(transaction, {
          key: `call:${callId}:${minute}`,
          kind,
          at,
          man,
          woman,
          coins: rate,
          ref: { call: callId, minute },
        });
        // An earlier attempt charged the minute, but its confirmation was lost.
        if (earned === null) return charges.earnedBy(transaction, `call:${callId}:${minute}`);
        await transaction
          .updateTable('ringback_charge_sessions')
          .set(({ eb }) => ({
            count: minute,
            coins: eb('coins', '+', rate),
            points: eb('points', '+', earned),
            touched_at: at,
            unpaid_since: null,
          }))
          .where('session_id', '=', callId)
          .execute();
        return earned;
      });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'insufficient_coins') throw error;
      return null;
    }
  }

  /**
   * Closes the page of a call once. Releases held coins, and refunds a lost minute within the daily limit.
   *
   * @returns whether the minute was refunded.
   * @throws NotOwner when another node bills the call.
   */
  async close(call: BilledCall, { endResult, duration, minutes, lostPoints }: Ending): Promise<boolean> {
    const { database, charges, clock, reservations } = this.#with;
    const { callId, man, woman, kind, rate } = call;
    const at = clock.wallTime();
    return database.transact(async (transaction) => {
      await this.#own(transaction, callId, at);
      await reservations.end(transaction, callId);
      const ref = { call: callId, minute: minutes };
      const charge = { key: `call:${callId}:${minutes}`, kind, at, man, woman, coins: rate, ref };
      const givenBack = lostPoints !== null && (await mayGiveBack(transaction, call, at)) ? lostPoints : null;
      const isNew = givenBack !== null && (await charges.giveBack(transaction, charge, givenBack));
      await closePage(transaction, { callId, endResult, duration, at });
      if (isNew) {
        await transaction
          .updateTable('ringback_charge_sessions')
          .set(({ eb }) => ({
            count: minutes - 1,
            coins: eb('coins', '-', rate),
            points: eb('points', '-', givenBack),
            was_given_back: 1,
          }))
          .where('session_id', '=', callId)
          .execute();
      }
      return givenBack !== null;
    });
  }

  /**
   * Closes the pages of calls that no server continues and that were not written for so long. The end is taken from the
   * history, or is the last minute that was charged.
   *
   * @param silentMs - 0 closes every such page, whatever the clock says.
   * @param isLive - whether this server bills the call.
   */
  async closeLeft(silentMs: number, isLive: (callId: string) => boolean): Promise<void> {
    const { database, clock, reservations } = this.#with;
    const at = clock.wallTime();
    let query = database.db
      .selectFrom('ringback_charge_sessions')
      .where('is_open', '=', 1)
      .where('session_id', 'not in', (live) => live.selectFrom('ringback_live_calls').select('call_id'))
      .selectAll();
    if (silentMs > 0) query = query.where('touched_at', '<=', at - silentMs);
    const left = await query.execute();
    for (const { session_id: callId, man, woman, kind, rate, count, touched_at } of left) {
      if (isLive(callId) || !(await this.#takeLeft(callId, touched_at, at))) continue;
      const record = await this.#recordOf(callId);
      if (record && rate !== null && kind !== 'message') {
        const call = { callId, man, woman, kind: kind === 'video' ? 'video' : 'voice', rate } as const;
        // The server was down when the call ended. The man cannot cause that, so it counts as evidence.
        const isLost = record.endResult === 'connection_lost' && count > 0;
        const lastPoints = await this.#with.charges.earnedBy(database.db, `call:${callId}:${count}`);
        await this.close(call, { ...record, minutes: count, lostPoints: isLost ? lastPoints : null });
        continue;
      }
      const duration = count === 0 ? 0 : minuteBegins(count + 1);
      await database.transact(async (transaction) => {
        await reservations.end(transaction, callId);
        await transaction
          .updateTable('ringback_charge_sessions')
          .set({ is_open: 0, end_result: SILENT, duration, touched_at: at })
          .where('session_id', '=', callId)
          .execute();
      });
    }
  }

  /** Takes a silent page over before it is closed. Returns false when its node, or another one, has written it since. */
  async #takeLeft(callId: string, touchedAt: number, at: number): Promise<boolean> {
    const { database, owner } = this.#with;
    if (owner === null) return true;
    const row = await database.db
      .updateTable('ringback_charge_sessions')
      .set({ owner, touched_at: at })
      .where('session_id', '=', callId)
      .where('is_open', '=', 1)
      .where('touched_at', '=', touchedAt)
      .returning('session_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async #recordOf(callId: string): Promise<{ endResult: string; duration: number } | undefined> {
    return await this.#with.database.db
      .selectFrom('ringback_calls')
      .where('call_id', '=', callId)
      .select(['end_result as endResult', 'duration'])
      .executeTakeFirst();
  }
}

/** A new page, which has no minute yet. */
interface NewPage extends Pick<
  Tables['ringback_charge_sessions'],
  'session_id' | 'man' | 'woman' | 'kind' | 'rate' | 'owner'
> {
  readonly at: number;
}

/** Adds a page, unless the call has one. */
const addPage = statementOfOne((db, { session_id, man, woman, kind, rate, at, owner }: NewPage) =>
  db
    .insertInto('ringback_charge_sessions')
    .values({
      session_id,
      man,
      woman,
      kind,
      rate,
      count: 0,
      coins: 0,
      points: 0,
      started_at: at,
      duration: null,
      end_result: null,
      is_open: 1,
      touched_at: at,
      owner,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('session_id'),
);

interface ClosedPage extends Pick<Ending, 'endResult' | 'duration'> {
  readonly callId: string;
  readonly at: number;
}

const closePage = statement((db, { callId, endResult, duration, at }: ClosedPage) =>
  db
    .updateTable('ringback_charge_sessions')
    .set({ is_open: 0, end_result: endResult, duration, touched_at: at })
    .where('session_id', '=', callId),
);

/** Returns whether the pair has refunds left for calls that began on this day of the platform. */
async function mayGiveBack(
  transaction: Transaction<Tables>,
  { callId, man, woman }: BilledCall,
  at: number,
): Promise<boolean> {
  const given = await transaction
    .selectFrom('ringback_charge_sessions')
    .where('man', '=', man)
    .where('woman', '=', woman)
    .where('started_at', '>=', dayStart(at))
    .where('was_given_back', '=', 1)
    // This call may be in the result, if the confirmation of an earlier attempt was lost.
    .where('session_id', '!=', callId)
    .select('session_id')
    .execute();
  return given.length < CALL_RULES.refundsADay;
}
