import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Database } from '../../../../sim/store/database.ts';
import { migratedSchema, NO_POSTGRES } from '../../../contract/store/postgres-schema.ts';
import { openTestDatabase } from './test-database.ts';

/** The functions that open and remove a database of the kind. */
interface Place {
  readonly database: string;
  remove(): Promise<void>;
}

/** The kinds of databases that keep money, and a place for one of each. */
const KINDS: Readonly<Record<string, { readonly missing?: string | undefined; make(): Promise<Place> }>> = {
  'SQLite in memory': { make: async () => ({ database: ':memory:', remove: async () => undefined }) },
  'SQLite in a file': {
    async make() {
      const folder = mkdtempSync(join(tmpdir(), 'ringback-money-'));
      return { database: join(folder, 'money.db'), remove: async () => rmSync(folder, { recursive: true }) };
    },
  },
  PostgreSQL: {
    missing: NO_POSTGRES,
    async make() {
      const schema = await migratedSchema();
      return { database: schema.url, remove: () => schema.drop() };
    },
  },
};

/** Databases that outlive their servers. */
export const LASTING = ['SQLite in a file', 'PostgreSQL'];
export const EVERY = ['SQLite in memory', 'PostgreSQL'];

/** The databases that a test opens of one kind. `close` removes all of them. */
export function databasesOf(kind: string) {
  const undo: (() => Promise<void>)[] = [];
  const found = KINDS[kind];
  if (!found) throw new Error(`There is no kind of database ${kind}.`);
  const open = async (database: string): Promise<Database> => {
    const opened = await openTestDatabase(database);
    undo.push(() => opened.db.destroy());
    return opened;
  };
  return {
    /** The reason why no database of this kind is available. Undefined when one is. */
    missing: found.missing,
    skipIfMissing(context: TestContext) {
      if (found.missing !== undefined) context.skip(found.missing);
    },
    async place(): Promise<string> {
      const { database, remove } = await found.make();
      undo.push(remove);
      return database;
    },
    open,
    async make(): Promise<Database> {
      return open(await this.place());
    },
    async close() {
      for (const one of undo.splice(0).toReversed()) await one();
    },
  };
}
