import { sql } from 'kysely';
import type { Log } from '../exchange/logging/log.ts';
import type { Clock, Timer } from '../../src/common/clock.ts';
import type { Database } from '../store/database.ts';
import { nextTurn } from './many-rows.ts';
import { DAY_MS, RETENTION_RULES } from './rules.ts';

/** How often a server looks for expired rows. Milliseconds. */
const AGAIN_MS = DAY_MS / 4;
/** The number of calls that are deleted in one transaction and one turn of the event loop. */
const CALLS = 100;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
}

/** The tables with their own retention, each with the column from which the age of a row counts. */
const ROWS = [
  { table: 'ringback_codes', column: 'expires_at', keptMs: RETENTION_RULES.codesMs },
  { table: 'ringback_receipts', column: 'at', keptMs: RETENTION_RULES.receiptsMs },
  { table: 'ringback_identity_tries', column: 'at', keptMs: RETENTION_RULES.identityTriesMs },
  { table: 'ringback_room_stays', column: 'exited_at', keptMs: RETENTION_RULES.callsMs },
  { table: 'ringback_rooms', column: 'deleted_at', keptMs: RETENTION_RULES.callsMs },
  { table: 'ringback_reports', column: 'at', keptMs: RETENTION_RULES.reportsMs },
] as const;

/** Deletes rows that are older than their retention, at the start and four times a day. */
export class Retention {
  readonly #dependencies: Dependencies;
  #timer: Timer | undefined;
  #running = Promise.resolve();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts deleting, now and periodically until {@link dispose}. */
  start(): void {
    const { clock, log } = this.#dependencies;
    this.#timer = clock.after(AGAIN_MS, () => this.start());
    this.#running = this.#deleteOld().catch((error: unknown) => log.error('old rows were not deleted', { error }));
  }

  /** Resolves when no deletion is in progress. */
  settled(): Promise<void> {
    return this.#running;
  }

  dispose(): void {
    this.#timer?.cancel();
  }

  async #deleteOld(): Promise<void> {
    const { database, clock } = this.#dependencies;
    const { db } = database;
    const now = clock.wallTime();
    for (const { table, column, keptMs } of ROWS) {
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} < ${now - keptMs}`.execute(db);
    }
    while (await deleteSomeCalls(database, now - RETENTION_RULES.callsMs)) await nextTurn();
  }
}

/** Deletes a few calls that ended before a time, with all their data. Returns whether there may be more. */
const deleteSomeCalls = ({ transact }: Pick<Database, 'transact'>, before: number): Promise<boolean> =>
  transact(async (transaction) => {
    const old = await transaction
      .selectFrom('ringback_calls')
      .where('ended_at', '<', before)
      .select('call_id')
      .limit(CALLS)
      .execute();
    const ids = old.map(({ call_id }) => call_id);
    if (ids.length === 0) return false;
    for (const table of ['ringback_summaries', 'ringback_parts', 'ringback_calls'] as const) {
      await transaction.deleteFrom(table).where('call_id', 'in', ids).execute();
    }
    return ids.length === CALLS;
  });
