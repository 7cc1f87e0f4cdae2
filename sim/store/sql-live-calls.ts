import type { Kysely, Transaction } from 'kysely';
import type { LiveCall, LiveSignal, Moment } from '../exchange/calls/live-call.ts';
import { ALL_SAVED, type KeptCall, type LiveCallStore, type NotSaved, type Owner } from '../exchange/store.ts';
import type { Database } from './database.ts';
import { statement, statementOfRows } from './statement.ts';
import type { Tables } from './tables/tables.ts';

/** The number of rows in one statement. SQLite takes 32 766 values in one. */
const ROWS = 1_000;

/** The live calls in a database: a row for each call, each signal and each exchange. */
export class SqlLiveCalls implements LiveCallStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  takeLiveCalls(name: string, seen: Moment, before: number): ReturnType<LiveCallStore['takeLiveCalls']> {
    return this.#database.transact(async (transaction) => {
      await this.#database.lock(transaction, `exchange ${name}`);
      const former = await transaction
        .selectFrom('ringback_exchanges')
        .where('name', '=', name)
        .select('epoch')
        .executeTakeFirst();
      let query = joined(transaction);
      query = this.#database.isShared
        ? query.where('call.exchange', '=', name)
        : query.where(({ eb, or }) =>
            or([
              eb('call.exchange', '=', name),
              eb('exchange.name', 'is', null),
              eb('exchange.has_left', '=', 1),
              eb('exchange.seen_at', '<', before),
            ]),
          );
      const calls = await keptOf(transaction, await query.execute());
      const callIds = calls.map(({ callId }) => callId);
      for (const some of chunksOf(callIds)) {
        await transaction
          .updateTable('ringback_live_calls')
          .set({ exchange: name })
          .where('call_id', 'in', some)
          .execute();
      }
      const row = { epoch: (former?.epoch ?? 0) + 1, ...columnsOf(seen), has_left: 0 };
      await transaction
        .insertInto('ringback_exchanges')
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute();
      return { owner: { name, epoch: row.epoch }, calls };
    });
  }

  saveLiveCalls(
    { name, epoch }: Owner,
    seen: Moment,
    calls: readonly LiveCall[],
    signals: readonly LiveSignal[],
  ): Promise<NotSaved> {
    return this.#database.transact(async (transaction) => {
      const [known] = await goesOn(transaction, { name, epoch, ...columnsOf(seen) });
      if (!known) return { ...ALL_SAVED, isReplaced: true };
      for (const some of chunksOf(calls)) {
        await keepCalls(
          transaction,
          some.map((call) => ({ call_id: call.callId, exchange: name, body: JSON.stringify(call) })),
        );
      }
      for (const some of chunksOf(signals)) await keepSignals(transaction, some);
      await dropOldSignals(transaction, calls);
      return ALL_SAVED;
    }, 'crash');
  }

  async leaveLiveCalls({ name, epoch }: Owner): Promise<void> {
    await this.#database.db
      .updateTable('ringback_exchanges')
      .set({ has_left: 1 })
      .where('name', '=', name)
      .where('epoch', '=', epoch)
      .execute();
  }

  async abandonedCalls(before: number): Promise<readonly KeptCall[]> {
    const { db } = this.#database;
    const rows = await joined(db)
      .where(({ eb, or }) => or([eb('exchange.name', 'is', null), eb('exchange.seen_at', '<', before)]))
      .limit(ROWS)
      .execute();
    return keptOf(db, rows);
  }

  async forgetLiveCalls(callIds: readonly string[]): Promise<void> {
    await this.#database.transact((transaction) => forgetLive(transaction, callIds));
  }
}

/** Deletes calls from the live calls, within a transaction. */
export async function forgetLive(transaction: Transaction<Tables>, callIds: readonly string[]): Promise<void> {
  for (const some of chunksOf(callIds)) {
    const rows = some.map((callId) => ({ callId }));
    await forgetCalls(transaction, rows);
    await forgetSignals(transaction, rows);
  }
}

interface Running extends Pick<Tables['ringback_exchanges'], 'name' | 'epoch' | 'seen_at' | 'seen_clock'> {}

/** Records that an exchange runs. Returns no row when another one has its name now. */
const goesOn = statement((db, { name, epoch, seen_at, seen_clock }: Running) =>
  db
    .updateTable('ringback_exchanges')
    .set({ seen_at, seen_clock, has_left: 0 })
    .where('name', '=', name)
    .where('epoch', '=', epoch)
    .returning('name'),
);

const keepCalls = statementOfRows((db, rows: readonly Tables['ringback_live_calls'][]) =>
  db
    .insertInto('ringback_live_calls')
    .values(rows.map(({ call_id, exchange, body }) => ({ call_id, exchange, body })))
    .onConflict((conflict) =>
      conflict.column('call_id').doUpdateSet(({ ref }) => ({
        exchange: ref('excluded.exchange'),
        body: ref('excluded.body'),
      })),
    ),
);

const keepSignals = statementOfRows((db, rows: readonly LiveSignal[]) =>
  db
    .insertInto('ringback_live_signals')
    .values(
      rows.map(({ callId, side, clientId, sequence, frame }) => ({
        call_id: callId,
        side,
        client_id: clientId,
        sequence,
        frame,
      })),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

const forgetCalls = statementOfRows((db, rows: readonly { readonly callId: string }[]) =>
  db.deleteFrom('ringback_live_calls').where(
    'call_id',
    'in',
    rows.map(({ callId }) => callId),
  ),
);

const forgetSignals = statementOfRows((db, rows: readonly { readonly callId: string }[]) =>
  db.deleteFrom('ringback_live_signals').where(
    'call_id',
    'in',
    rows.map(({ callId }) => callId),
  ),
);

interface LiveRow {
  readonly call_id: string;
  readonly body: string;
  readonly seen_at: number | null;
  readonly seen_clock: number | null;
}

const joined = (db: Kysely<Tables>) =>
  db
    .selectFrom('ringback_live_calls as call')
    .leftJoin('ringback_exchanges as exchange', 'exchange.name', 'call.exchange')
    .select(['call.call_id', 'call.body', 'exchange.seen_at', 'exchange.seen_clock'])
    .orderBy('call.call_id');

async function keptOf(db: Kysely<Tables>, rows: readonly LiveRow[]): Promise<KeptCall[]> {
  const signals = new Map<string, LiveSignal[]>(rows.map(({ call_id }) => [call_id, []]));
  for (const some of chunksOf(rows)) {
    const kept = await db
      .selectFrom('ringback_live_signals')
      .where(
        'call_id',
        'in',
        some.map(({ call_id }) => call_id),
      )
      .selectAll()
      .orderBy('sequence')
      .execute();
    for (const { call_id, side, client_id, sequence, frame } of kept) {
      const isCaller = side === 'caller';
      signals
        .get(call_id)
        ?.push({ callId: call_id, side: isCaller ? 'caller' : 'callee', clientId: client_id, sequence, frame });
    }
  }
  return rows.map(({ call_id, body, seen_at, seen_clock }) => ({
    callId: call_id,
    body: JSON.parse(body),
    signals: signals.get(call_id) ?? [],
    seen: { at: seen_at ?? 0, clock: seen_clock ?? 0 },
  }));
}

/** Deletes all but the newest signals of each leg. */
async function dropOldSignals(transaction: Transaction<Tables>, calls: readonly LiveCall[]): Promise<void> {
  for (const { callId, legs } of calls) {
    for (const { side, clientId, firstSignal } of legs) {
      if (firstSignal <= 1) continue;
      await transaction
        .deleteFrom('ringback_live_signals')
        .where('call_id', '=', callId)
        .where('side', '=', side)
        .where('client_id', '=', clientId)
        .where('sequence', '<', firstSignal)
        .execute();
    }
  }
}

const columnsOf = ({ at, clock }: Moment) => ({ seen_at: Math.round(at), seen_clock: Math.round(clock) });

/** Returns the rows in parts that fit into a statement. */
export function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / ROWS) }, (_, at) => all.slice(at * ROWS, (at + 1) * ROWS));
}
