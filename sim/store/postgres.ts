import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables/tables.ts';

const CONNECTIONS = 4;
/** Nothing asked of the database waits longer for it. */
const ANSWER_MS = 10_000;
const CONNECT_MS = 5_000;
/** How often a transaction runs that was broken up. */
const TRIES = 5;
/** https://www.postgresql.org/docs/15/errcodes-appendix.html: serialization_failure, deadlock_detected. */
const BROKEN_UP: ReadonlySet<unknown> = new Set(['40001', '40P01']);
/** What is said to be kept is on the disk (S27), also where a database is set up to say so earlier. What waits for more stays. */
const WRITE_THROUGH = CompiledQuery.raw(
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
);
/** The type's number in every PostgreSQL. */
const BIGINT = 20;

/** Opens a PostgreSQL database by its url. @param onLost - told when a connection that nobody uses breaks. */
export async function openPostgres(url: string, onLost: (error: Error) => void): Promise<Database> {
  // Not needed by whoever uses SQLite.
  const { Pool, types } = (await import('pg')).default;
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    statement_timeout: ANSWER_MS,
    idle_in_transaction_session_timeout: ANSWER_MS,
    application_name: 'ringback',
    types: {
      // Milliseconds fit into a number; pg gives every bigint as text.
      getTypeParser: (oid: number) => (oid === BIGINT ? Number : types.getTypeParser(oid)),
    },
  });
  pool.on('error', onLost);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool,
      onCreateConnection: async (connection) => void (await connection.executeQuery(WRITE_THROUGH)),
    }),
  });
  const lock: Database['lock'] = async (transaction, name) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
  };
  return {
    db,
    outlives: true,
    isShared: true,
    name: placeOf(url),
    alone: (run) =>
      db.transaction().execute(async (transaction) => {
        await lock(transaction, 'ringback_migrations');
        await run(transaction);
      }),
    async transact(work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await db.transaction().execute(work);
        } catch (error) {
          if (tries === TRIES || !isBrokenUp(error)) throw error;
        }
      }
    },
    lock,
  };
}

/** Where the database is, without who asks: neither user nor password. */
export function placeOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const isBrokenUp = (error: unknown): boolean => error instanceof Error && 'code' in error && BROKEN_UP.has(error.code);
