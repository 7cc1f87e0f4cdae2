import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
  type Transaction,
} from 'kysely';
import type Pg from 'pg';
import { type Database, type DatabaseOptions, timed } from './database.ts';
import { ofConnection } from './lost-database.ts';
import { claimPostgres } from './postgres-claim.ts';
import { Turns } from './turns.ts';
import type { Tables } from './tables/tables.ts';

const CONNECTIONS = 10;
/**
 * The share of connections that is reserved for statements outside transactions. A transaction may wait for another
 * one's lock.
 */
const LEFT_FREE = 0.25;
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5_000;
/** How often an aborted transaction runs at most. */
const TRIES = 5;
/**
 * The codes of aborted transactions: serialization_failure, deadlock_detected
 * (https://www.postgresql.org/docs/15/errcodes-appendix.html).
 */
const BROKEN_UP: ReadonlySet<unknown> = new Set(['40001', '40P01']);
/**
 * Turns synchronous commits on where a database has them off, since a commit must be on the disk (S27). Stricter
 * settings stay.
 */
const WRITE_THROUGH = CompiledQuery.raw(
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
);
/** The number of the type, which is the same in every PostgreSQL. */
const BIGINT = 20;

/** A driver whose errors tell a database that cannot be reached from a statement that fails. */
class Driver extends PostgresDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      throw ofConnection(error);
    }
  }
}

class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new Driver(this.#config);
  }
}

/** Opens a PostgreSQL database by its URL. @param onLost - called when an idle connection breaks. */
export async function openPostgres(
  url: string,
  onLost: (error: Error) => void,
  options: DatabaseOptions = {},
): Promise<Database> {
  const { connections = CONNECTIONS, connectMs = CONNECT_MS } = options;
  // Loaded here, since a server with SQLite does not need it.
  const pg = (await import('pg')).default;
  const common = { connectionString: url, connectionTimeoutMillis: connectMs, application_name: 'ringback' };
  const pool = poolOf(pg, { ...common, max: connections, ...limitsOf(options), types: typesOf(pg) }, onLost);
  const db = new Kysely<Tables>({
    dialect: new Dialect({
      pool,
      onCreateConnection: async (connection) => void (await connection.executeQuery(WRITE_THROUGH)),
    }),
    ...timed(options.onStatement),
  });
  const turns = new Turns(Math.max(1, Math.floor(connections * (1 - LEFT_FREE))));
  return {
    db,
    file: null,
    outlives: true,
    isShared: true,
    name: placeOf(url),
    async alone(run) {
      // A migration takes as long as its tables are large, and waits for the migration of another server.
      const unlimited = new Kysely<Tables>({
        dialect: new PostgresDialect({ pool: poolOf(pg, { ...common, max: 1 }, onLost) }),
      });
      try {
        await unlimited.transaction().execute(async (transaction) => {
          await lock(transaction, 'ringback_migrations');
          await run(transaction);
        });
      } finally {
        await unlimited.destroy();
      }
    },
    claim: (onAgain) =>
      claimPostgres({
        client: () => new pg.Client({ ...common, keepAlive: true }).on('error', onLost),
        onAgain,
        ...(options.after ? { after: options.after } : {}),
      }),
    transact: (work) => transactIn(turns, db, work),
    lock,
  };
}

/** Creates a pool that survives the end of the database. @param onLost - called when an idle connection breaks. */
function poolOf({ Pool }: Pick<typeof Pg, 'Pool'>, config: Pg.PoolConfig, onLost: (error: Error) => void): Pg.Pool {
  const pool = new Pool(config);
  pool.on('error', onLost);
  // The pool listens to idle connections alone. A statement that has one fails with the same error.
  pool.on('connect', (client) => void client.on('error', ofConnection));
  return pool;
}

const limitsOf = ({ statementMs = STATEMENT_MS }: DatabaseOptions) => ({
  query_timeout: statementMs,
  statement_timeout: statementMs,
  idle_in_transaction_session_timeout: statementMs,
});

/** Returns the readers of values. Milliseconds fit into a number, but pg returns every bigint as text. */
const typesOf = ({ types }: Pick<typeof Pg, 'types'>) => ({
  getTypeParser: (oid: number) => (oid === BIGINT ? Number : types.getTypeParser(oid)),
});

const lock: Database['lock'] = async (transaction, name, kind = 'exclusive') => {
  const take = sql.raw(kind === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${take}(hashtextextended(${name}, 0))`.execute(transaction);
};

/** Runs the work in a transaction, again when the database aborted it. */
async function transactIn<Result>(
  turns: Turns,
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await turns.take(() => db.transaction().execute(work));
    } catch (error) {
      if (tries === TRIES || !isBrokenUp(error)) throw error;
    }
  }
}

/** Returns the location of a database without user and password. */
export function placeOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const isBrokenUp = (error: unknown): boolean => error instanceof Error && 'code' in error && BROKEN_UP.has(error.code);
