import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { MIGRATIONS } from '../../../sim/store/migrate.ts';
import { openDatabase } from '../../../sim/store/open-store.ts';
import { makeSchema, migratedSchema, NO_POSTGRES, setup } from './postgres-schema.ts';

const skipWithoutPostgres = (context: TestContext) => {
  if (NO_POSTGRES !== undefined) context.skip(NO_POSTGRES);
};

it('the next test receives a schema with empty tables, also when the ledger forbids to delete their rows', async (context) => {
  skipWithoutPostgres(context);
  const first = await migratedSchema();
  const write = `insert into ringback_transfers (key, kind, at, ref) values ('one', 'deposit', 1, '{}');
    insert into ringback_secrets (name, value) values ('codes', 'x')`;
  await first.query(write);
  await expect(first.query('delete from ringback_transfers')).rejects.toThrow('append-only');
  await first.drop();
  const next = await migratedSchema();
  onTestFinished(() => next.drop());
  expect(next.url).toBe(first.url);
  const { db } = await openDatabase(next.url, { warn: () => undefined });
  const { rows } = await sql`select * from ringback_secrets, ringback_transfers`.execute(db);
  expect(rows).toEqual([]);
  await db.destroy();
  const steps = await next.query('select name from ringback_migrations');
  expect(steps).toHaveLength(Object.keys(MIGRATIONS).length);
  await next.query(write);
  await expect(next.query('delete from ringback_transfers')).rejects.toThrow('append-only');
});

it('a run drops the schemas of a killed run, drops its own at its end, and leaves those of a parallel run', async (context) => {
  skipWithoutPostgres(context);
  const here = await makeSchema();
  onTestFinished(() => here.drop());
  const isThere = async (name: string) =>
    (await here.query(`select from pg_namespace where nspname = '${name}'`)).length > 0;
  const [{ name: own }] = (await here.query('select current_schema as name')) as [{ name: string }];
  const left = `ringback_test_${randomInt(2 ** 31)}_left`;
  await here.query(`create schema ${left}; create table ${left}.kept (one integer)`);
  const { RINGBACK_TEST_SCHEMAS: before } = process.env;
  onTestFinished(() => {
    process.env['RINGBACK_TEST_SCHEMAS'] = before;
  });
  const end = await setup();
  const beside = await makeSchema();
  const [{ name }] = (await beside.query('select current_schema as name')) as [{ name: string }];
  expect(name.split('_')[2]).not.toBe(own.split('_')[2]);
  expect([await isThere(left), await isThere(own), await isThere(name)]).toEqual([false, true, true]);
  await end?.();
  expect([await isThere(own), await isThere(name)]).toEqual([true, false]);
});
