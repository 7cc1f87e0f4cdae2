/**
 * Schemas for tests in the database of DATABASE_URL. The name of each has the number of its owner: a run of tests,
 * or outside a run the schema itself. The owner holds an advisory lock of that number for its lifetime. So a schema
 * whose number is not locked was left behind, and the next owner drops it.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { Client } from 'pg';
import { openMigrated } from '../../../sim/store/open-store.ts';

/** A schema that no other test uses at the same time. */
export interface PostgresSchema {
  /** The url of the database, with this schema as its search path. */
  readonly url: string;
  query(sql: string): Promise<unknown[]>;
  drop(): Promise<void>;
}

/** The reason why tests of PostgreSQL are skipped. Undefined when they run. */
export const NO_POSTGRES = process.env['DATABASE_URL'] ? undefined : 'DATABASE_URL names no PostgreSQL to test with';

/** The environment variable in which a run of tests passes the number of its schemas to its processes. */
const OWNER_VARIABLE = 'RINGBACK_TEST_SCHEMAS';
const PREFIX = 'ringback_test_';
/**
 * The first key of these advisory locks, which separates them from others:
 * https://www.postgresql.org/docs/15/explicit-locking.html#ADVISORY-LOCKS
 */
const LOCKS = 1_926_351_234;
/** A test with an open transaction blocks the next test, which this limit reports. */
const LOCK_WAIT = "set lock_timeout = '10s'";

async function connect(url = process.env['DATABASE_URL'] ?? ''): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'ringback tests' });
  // A lost connection fails the next query.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`${LOCK_WAIT}; set client_min_messages = 'error'`);
  return client;
}

/**
 * Locks a new number for schemas, and drops the schemas that were left behind. `end` drops the schemas of this
 * number.
 */
async function ownSchemas(): Promise<{ readonly owner: string; end(): Promise<void> }> {
  const client = await connect();
  const owner = String(randomInt(2 ** 31));
  await client.query('select pg_advisory_lock($1, $2)', [LOCKS, owner]);
  const { rows } = await client.query<{ owner: string }>(
    `select distinct substring(nspname from '^${PREFIX}([0-9]+)_') as owner from pg_namespace
     where nspname ~ '^${PREFIX}[0-9]+_' and pg_get_userbyid(nspowner) = current_user`,
  );
  for (const { owner: other } of rows) {
    const lock = [LOCKS, other];
    const taken = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', lock);
    if (!taken.rows[0]?.taken) continue;
    await dropAll(client, other);
    await client.query('select pg_advisory_unlock($1, $2)', lock);
  }
  return {
    owner,
    async end() {
      await dropAll(client, owner);
      await client.end();
    },
  };
}

async function dropAll(client: Client, owner: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where starts_with(nspname, $1)',
    [`${PREFIX}${owner}_`],
  );
  for (const { name } of rows) await client.query(`drop schema if exists ${name} cascade`);
}

/** Owns the schemas of a whole run of tests, and drops them at its end. Does nothing without DATABASE_URL. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (NO_POSTGRES !== undefined) return undefined;
  const { owner, end } = await ownSchemas();
  process.env[OWNER_VARIABLE] = owner;
  // On Ctrl-C Vitest exits at once, and a handler of `exit` cannot wait for a promise.
  const interrupted = () => {
    spawnSync(process.execPath, ['--import', 'tsx', 'specs/contract/store/drop-schemas.ts', owner], {
      timeout: 10_000,
    });
  };
  process.once('exit', interrupted);
  return async () => {
    process.off('exit', interrupted);
    await end();
  };
}

/** Drops the schemas of a run that was interrupted. */
export async function dropSchemasOf(owner: string): Promise<void> {
  const client = await connect();
  await dropAll(client, owner);
  await client.end();
}

/** Makes an empty schema. */
export async function makeSchema(): Promise<PostgresSchema> {
  const run = process.env[OWNER_VARIABLE];
  // Outside a run, each schema has a separate owner.
  const own = run === undefined ? await ownSchemas() : undefined;
  const name = `${PREFIX}${run ?? own?.owner}_${randomBytes(6).toString('hex')}`;
  const url = new URL(process.env['DATABASE_URL'] ?? '');
  url.searchParams.set('options', `-c search_path=${name}`);
  const client = await connect(url.href);
  await client.query(`create schema ${name}`);
  return {
    url: url.href,
    query: async (sql) => (await client.query(sql)).rows,
    async drop() {
      await client.query(`drop schema ${name} cascade`);
      await client.end();
      await own?.end();
    },
  };
}

/** Deletes all rows, also those of the append-only ledger. It is faster than `truncate`, which makes new files. */
const EMPTY_TABLES = `do $$
declare one record;
begin
  for one in
    select oid::regclass as name,
      exists (select from pg_trigger where tgrelid = pg_class.oid and not tgisinternal) as has_triggers
    from pg_class
    where relkind = 'r' and relnamespace = current_schema::regnamespace and relname <> 'ringback_migrations'
    order by (select count(*) from pg_constraint where contype = 'f' and confrelid = pg_class.oid)
  loop
    if one.has_triggers then execute format('alter table %s disable trigger user', one.name); end if;
    execute format('delete from %s', one.name);
    if one.has_triggers then execute format('alter table %s enable trigger user', one.name); end if;
  end loop;
end $$`;

/** The schemas of this process with migrated, empty tables that no test uses now. */
const free: PostgresSchema[] = [];

/** Returns a schema with migrated, empty tables. Its `drop` releases it for the next test of this process. */
export async function migratedSchema(): Promise<PostgresSchema> {
  const schema = free.pop() ?? (await makeMigrated());
  return {
    ...schema,
    async drop() {
      // Outside a run of tests nothing drops the schema later.
      if (process.env[OWNER_VARIABLE] === undefined) return schema.drop();
      await schema.query(EMPTY_TABLES);
      free.push(schema);
    },
  };
}

async function makeMigrated(): Promise<PostgresSchema> {
  const schema = await makeSchema();
  const { db } = await openMigrated(schema.url, { warn: () => undefined });
  await db.destroy();
  return schema;
}
