import type { Transaction } from 'kysely';
import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { Clock } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Refusal } from '../refusal.ts';
import type { Charges } from './charges.ts';
import { minuteBegins, type MeterState } from './meter.ts';

/** A call that is billed, as it is written down. */
export interface BilledCall {
  readonly callId: string;
  readonly man: string;
  readonly woman: string;
  readonly kind: CallKind;
  /** Coins a minute. */
  readonly rate: number;
}

/** The page of a call that goes on. */
export interface OpenPage extends BilledCall {
  /** Minutes that were charged, and the hundredths of a point of all of them and of the last. */
  readonly minutes: number;
  readonly points: number;
  readonly lastPoints: number;
  readonly startedAt: number;
  /** Undefined where the call was never on hold. */
  readonly meter: MeterState | undefined;
}

/** How a call ended. */
interface Ending {
  readonly endResult: string;
  /** Milliseconds; null where it is not known. */
  readonly duration: number | null;
  /** Minutes that were charged. */
  readonly minutes: number;
  /** Hundredths of a point of the last minute, where that is given back. */
  readonly givenBack: number | null;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly charges: Charges;
}

/** What is kept of calls that are billed: what is held for the first minute, each minute that was charged, how they ended. */
export class CallBooks {
  readonly #with: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /** Begins a call's page, once, and keeps the coins of its first minute where there are enough. */
  async open(call: BilledCall, at: number): Promise<void> {
    const { database, ledger } = this.#with;
    const { callId, man, woman, kind, rate } = call;
    await database.transact(async (transaction) => {
      const made = await transaction
        .insertInto('ringback_charge_sessions')
        .values({
          session_id: callId,
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
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('session_id')
        .executeTakeFirst();
      if (!made || (await ledger.balance(`coins:${man}`, transaction)) < rate) return;
      await this.#hold(transaction, call, at);
    });
  }

  /** The page of a call that is still open; undefined where there is none. */
  async page(callId: string): Promise<OpenPage | undefined> {
    const row = await this.#with.database.db
      .selectFrom('ringback_charge_sessions')
      .where('session_id', '=', callId)
      .where('is_open', '=', 1)
      .selectAll()
      .executeTakeFirst();
    if (!row) return undefined;
    const { man, woman, kind, rate, count: minutes, points, started_at: startedAt } = row;
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
      startedAt,
      meter,
    };
  }

  /** Writes down where the meter of a call stands, for a server that goes on with the call. */
  async keepMeter(callId: string, { before, since, heldAt }: MeterState): Promise<void> {
    await this.#with.database.db
      .updateTable('ringback_charge_sessions')
      .set({ meter_before: before, meter_since: since, meter_held_at: heldAt })
      .where('session_id', '=', callId)
      .execute();
  }

  /** Takes a minute's coins, once. @returns the hundredths of a point that it earned; null where there are too few coins. */
  async take(call: BilledCall, minute: number): Promise<number | null> {
    const { database, charges, clock } = this.#with;
    const { callId, man, woman, kind, rate } = call;
    const at = clock.now();
    try {
      return await database.transact(async (transaction) => {
        // Kept when it connected, for the first minute.
        if (minute === 1) await this.#release(transaction, call, at);
        const earned = await charges.take(transaction, {
          key: `call:${callId}:${minute}`,
          kind,
          at,
          man,
          woman,
          coins: rate,
          ref: { call: callId, minute },
        });
        // It was taken, and the database did not come to say so.
        if (earned === null) return charges.earnedBy(transaction, `call:${callId}:${minute}`);
        await transaction
          .updateTable('ringback_charge_sessions')
          .set(({ eb }) => ({
            count: minute,
            coins: eb('coins', '+', rate),
            points: eb('points', '+', earned),
            touched_at: at,
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

  /** Ends a call's page: what is held comes free, and a minute that was not had is given back, once. */
  async close(call: BilledCall, { endResult, duration, minutes, givenBack }: Ending): Promise<void> {
    const { database, charges, clock } = this.#with;
    const { callId, man, woman, kind, rate } = call;
    const at = clock.now();
    await database.transact(async (transaction) => {
      await this.#release(transaction, call, at);
      const ref = { call: callId, minute: minutes };
      const charge = { key: `call:${callId}:${minutes}`, kind, at, man, woman, coins: rate, ref };
      const isNew = givenBack !== null && (await charges.giveBack(transaction, charge, givenBack));
      await transaction
        .updateTable('ringback_charge_sessions')
        .set(({ eb }) => ({
          is_open: 0,
          end_result: endResult,
          duration,
          touched_at: at,
          ...(isNew ? { count: minutes - 1, coins: eb('coins', '-', rate), points: eb('points', '-', givenBack) } : {}),
        }))
        .where('session_id', '=', callId)
        .execute();
    });
  }

  /**
   * Closes the pages that have not been written on for so long and whose calls do not go on: as the history says that the
   * call ended, or at the last minute that was charged.
   *
   * @param isLive - whether this server bills the call.
   */
  async closeLeft(silentMs: number, isLive: (callId: string) => boolean): Promise<void> {
    const { database, clock } = this.#with;
    const at = clock.now();
    const left = await database.db
      .selectFrom('ringback_charge_sessions')
      .where('is_open', '=', 1)
      .where('touched_at', '<=', at - silentMs)
      .where('session_id', 'not in', (live) => live.selectFrom('ringback_live_calls').select('call_id'))
      .selectAll()
      .execute();
    for (const { session_id: callId, man, woman, kind, rate, count } of left) {
      if (isLive(callId)) continue;
      const record = await this.#recordOf(callId);
      if (record && rate !== null && kind !== 'message') {
        const call = { callId, man, woman, kind: kind === 'video' ? 'video' : 'voice', rate } as const;
        const isGivenBack = record.endResult === 'connection_lost' && count > 0;
        const lastPoints = await this.#with.charges.earnedBy(database.db, `call:${callId}:${count}`);
        await this.close(call, { ...record, minutes: count, givenBack: isGivenBack ? lastPoints : null });
        continue;
      }
      const duration = count === 0 ? 0 : minuteBegins(count + 1);
      await database.transact(async (transaction) => {
        await this.#release(transaction, { callId, man, rate: rate ?? 0 }, at);
        await transaction
          .updateTable('ringback_charge_sessions')
          .set({ is_open: 0, end_result: 'unknown', duration, touched_at: at })
          .where('session_id', '=', callId)
          .execute();
      });
    }
  }

  async #recordOf(callId: string): Promise<{ endResult: string; duration: number } | undefined> {
    return await this.#with.database.db
      .selectFrom('ringback_calls')
      .where('call_id', '=', callId)
      .select(['end_result as endResult', 'duration'])
      .executeTakeFirst();
  }

  async #hold(transaction: Transaction<Tables>, { callId, man, rate }: BilledCall, at: number): Promise<void> {
    await this.#with.ledger.post(transaction, {
      key: `call:${callId}:hold`,
      kind: 'hold',
      at,
      ref: { call: callId },
      lines: [
        { account: `coins:${man}`, delta: -rate },
        { account: `held:${man}`, delta: rate },
      ],
    });
  }

  /** Gives free what was kept for the first minute, once, if anything was. */
  async #release(
    transaction: Transaction<Tables>,
    { callId, man, rate }: Pick<BilledCall, 'callId' | 'man' | 'rate'>,
    at: number,
  ): Promise<void> {
    const held = await transaction
      .selectFrom('ringback_transfers')
      .where('key', '=', `call:${callId}:hold`)
      .select('key')
      .executeTakeFirst();
    if (!held) return;
    await this.#with.ledger.post(transaction, {
      key: `call:${callId}:release`,
      kind: 'hold',
      at,
      ref: { call: callId },
      lines: [
        { account: `held:${man}`, delta: -rate },
        { account: `coins:${man}`, delta: rate },
      ],
    });
  }
}
