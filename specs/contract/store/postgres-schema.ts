import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A schema of its own in the database of DATABASE_URL, so that runs at the same time do not meet. */
export interface PostgresSchema {
  /** The url of the database, with this schema. */
  readonly url: string;
  query(sql: string): Promise<unknown[]>;
  drop(): Promise<void>;
}

/** Why tests of PostgreSQL do not run; undefined where they do. */
export const NO_POSTGRES = process.env['DATABASE_URL'] ? undefined : 'DATABASE_URL names no PostgreSQL to test with';

export async function makeSchema(): Promise<PostgresSchema> {
  const name = `ringback_${randomBytes(6).toString('hex')}`;
  const url = new URL(process.env['DATABASE_URL'] ?? '');
  url.searchParams.set('options', `-c search_path=${name}`);
  const client = new Client(url.href);
  await client.connect();
  await client.query(`create schema ${name}`);
  return {
    url: url.href,
    query: async (sql) => (await client.query(sql)).rows,
    async drop() {
      await client.query(`drop schema ${name} cascade`);
      await client.end();
    },
  };
}
