/** SQLite files with a missing or damaged part, as a full disk, a faulty disk or an interrupted copy leaves them. */
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClaimed } from '../../../sim/store/open-store.ts';
import { SqlStore } from '../../../sim/store/sql-store.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { aRecord } from './store.contract.ts';

const CALLS = 60;
const PAGE = 4_096;

const folder = mkdtempSync(join(tmpdir(), 'ringback-torn-'));
afterAll(() => rmSync(folder, { recursive: true }));

const log = { warn: () => undefined };
const whole = join(folder, 'whole.db');
/** A file whose calls are still in the write-ahead log beside it. */
const logged = join(folder, 'logged.db');
let files = 0;

const numberOf = (rows: readonly unknown[]): number => Number(Object.values(Object(rows[0]))[0]);

/** Opens a file as an exchange does, and returns the number of its calls. */
async function countCalls(path: string): Promise<{ calls: number; parts: number }> {
  const { database, claim } = await openClaimed(path, log);
  const count = async (table: string) =>
    numberOf((await sql`select count(*) from ${sql.table(table)}`.execute(database.db)).rows);
  const found = { calls: await count('ringback_calls'), parts: await count('ringback_parts') };
  await database.db.destroy();
  await claim.release();
  return found;
}

/** Copies the whole file without its log, and damages the copy. */
function damagedCopy(damage: (path: string) => void): string {
  files += 1;
  const path = join(folder, `copy-${files}.db`);
  copyFileSync(whole, path);
  damage(path);
  return path;
}

const truncatedCopy = (length: number) => damagedCopy((path) => truncateSync(path, length));

beforeAll(async () => {
  const { database, claim } = await openClaimed(whole, log);
  const store = new SqlStore(database);
  for (let call = 0; call < CALLS; call += 1) await store.saveCalls([aRecord('alice', 'bob')]);
  copyFileSync(whole, logged);
  copyFileSync(`${whole}-wal`, `${logged}-wal`);
  await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
  await store.close();
  await claim.release();
});

describe('F54 a SQLite file', () => {
  it('that is complete is opened with all its calls', async () => {
    expect(await countCalls(truncatedCopy(statSync(whole).size))).toEqual({ calls: CALLS, parts: 2 * CALLS });
  });

  it(
    'that is truncated at any length is refused in one line with the remedy',
    { timeout: scaled(30_000) },
    async () => {
      const { size } = statSync(whole);
      const ends = [2, 15, 16, 99, 100, 511, 512, PAGE - 1, PAGE, PAGE + 1, size - PAGE, size - PAGE + 1, size - 1];
      for (let end = 3 * PAGE; end < size; end += 3 * PAGE + 7) ends.push(end);
      const answers = new Map<number, string>();
      for (const end of ends) {
        const path = truncatedCopy(end);
        const answer = await countCalls(path).then(JSON.stringify, String);
        answers.set(end, answer.replace(path, 'FILE'));
      }
      const wrong = [...answers].filter(
        ([, answer]) =>
          !/^StoreError: The database FILE cannot be used: [^\n]+; restore it from a copy[^\n]*\.$/.test(answer),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('with an overwritten page is refused when it is opened, before a request needs that page', async () => {
    const { database, claim } = await openClaimed(whole, log);
    const { rows } = await sql<{ name: string; rootpage: number }>`
      select name, rootpage from sqlite_schema where name in ('ringback_entries', 'ringback_parts')`.execute(
      database.db,
    );
    await database.db.destroy();
    await claim.release();
    expect(rows).toHaveLength(2);
    for (const { rootpage } of rows) {
      const path = damagedCopy((copy) => {
        const file = openSync(copy, 'r+');
        writeSync(file, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (rootpage - 1) * PAGE);
        closeSync(file);
      });
      await expect(countCalls(path)).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringMatching(/cannot be used: .*; restore it from a copy/),
      });
    }
  });

  it('whose log is truncated has all calls up to one commit, and no partial call', async () => {
    const { size } = statSync(`${logged}-wal`);
    const found: number[] = [];
    for (const share of [1, 0.97, 0.9, 0.8, 0.7]) {
      files += 1;
      const path = join(folder, `log-${files}.db`);
      copyFileSync(logged, path);
      copyFileSync(`${logged}-wal`, `${path}-wal`);
      truncateSync(`${path}-wal`, Math.floor(size * share));
      const { calls, parts } = await countCalls(path);
      expect(parts).toBe(2 * calls);
      found.push(calls);
    }
    expect(found[0]).toBe(CALLS);
    expect(found).toEqual(found.toSorted((one, other) => other - one));
    expect(found.at(-1)).toBeLessThan(CALLS);
  });
});
