/** The claim of one exchange on a database, and several exchanges on one database. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HandClock } from '../../unit/support/hand-clock.ts';
import { migrate, MIGRATIONS } from '../../../sim/store/migrate.ts';
import { openClaimed, openDatabase, openMigrated } from '../../../sim/store/open-store.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { migratedSchema, NO_POSTGRES, type PostgresSchema } from './postgres-schema.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

const warned: string[] = [];
const log = { warn: (message: string) => void warned.push(message) };

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-claim-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  return join(folder, 'calls.db');
}

async function claimed(place: string) {
  const { database, claim } = await openClaimed(place, log);
  const close = async () => {
    await database.db.destroy();
    await claim.release();
  };
  return { database, claim, close };
}

/** Runs code in another process. */
const inAnotherProcess = (code: string) =>
  spawnSync(
    process.execPath,
    [
      ...['--import', 'tsx', '--input-type=module', '--eval'],
      `const { openClaimed, openDatabase } = await import(${JSON.stringify(`${process.cwd()}/sim/store/open-store.ts`)});
      const log = { warn: () => undefined };
      ${code}`,
    ],
    { encoding: 'utf8' },
  );

describe('a SQLite file', () => {
  it('S46 is readable only by its owner, and refused to a second exchange by every path until the first one releases it or dies', async () => {
    const file = aFile();
    const first = await claimed(file);
    for (const name of readdirSync(dirname(file))) {
      expect([name, (statSync(join(dirname(file), name)).mode & 0o077).toString(8)]).toEqual([name, '0']);
    }
    const link = `${file}-link`;
    symlinkSync(file, link);
    for (const name of [file, link]) {
      await expect(openClaimed(name, log)).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringMatching(/is open in another exchange\. Stop that exchange/),
      });
    }
    // A program that only reads or copies the file is not refused.
    await (await openMigrated(file, log)).db.destroy();
    await first.close();
    await (await claimed(file)).close();
    expect(existsSync(file)).toBe(true);
  });

  it('is free again after the process that claimed it was killed', async () => {
    const file = aFile();
    const { signal } = inAnotherProcess(`await openClaimed(${JSON.stringify(file)}, log);
      process.kill(process.pid, 'SIGKILL');`);
    expect(signal).toBe('SIGKILL');
    await (await claimed(file)).close();
  });

  it(
    'stays locked against other processes when a second exchange of the same process was refused',
    { timeout: scaled(30_000) },
    async () => {
      const file = aFile();
      const { database, close } = await claimed(file);
      await expect(openClaimed(file, log)).rejects.toThrow('is open in another exchange');
      // A process closes each of its locks on a file with any of its descriptors of that file (fcntl of POSIX).
      const { stdout } = inAnotherProcess(`const file = ${JSON.stringify(file)};
      console.log(await openClaimed(file, log).then(() => 'claimed', ({ message }) => message));
      const { db } = await openDatabase(file, log);
      await db.selectFrom('ringback_world').selectAll().execute();
      await db.destroy();`);
      expect(stdout).toContain('is open in another exchange');
      // The last connection deletes the log of a file, so that process was not the last.
      expect(existsSync(`${file}-wal`)).toBe(true);
      await database.db.insertInto('ringback_world').values({ id: 1, is_demo: 1 }).execute();
      const read = inAnotherProcess(`const { db } = await openDatabase(${JSON.stringify(file)}, log);
      console.log(await db.selectFrom('ringback_world').selectAll().execute());`);
      expect(read.stdout).toContain('is_demo: 1');
      await close();
    },
  );

  it('enforces foreign keys: no entry without its transfer', async () => {
    const { db } = await openMigrated(':memory:', log);
    undo.push(() => db.destroy());
    const entry = { transfer: 'none', line: 0, account: 'instance:sold', delta: 1, purse: null, seq: null };
    const kept = { ...entry, purse_after: null, kind: 'deposit', at: 0 };
    await expect(db.insertInto('ringback_entries').values(kept).execute()).rejects.toThrow(/FOREIGN KEY/);
  });
});

describe.skipIf(NO_POSTGRES !== undefined)('a PostgreSQL', () => {
  async function schema(): Promise<PostgresSchema> {
    const made = await migratedSchema();
    undo.push(() => made.drop());
    return made;
  }

  it('warns the second exchange, which goes on; another schema is another database', async () => {
    const { url } = await schema();
    const first = await claimed(url);
    const second = await claimed(url);
    const elsewhere = await claimed((await schema()).url);
    expect([first, second, elsewhere].map(({ claim }) => claim.isAlone)).toEqual([true, false, true]);
    expect(warned.filter((message) => message.includes('another exchange'))).toHaveLength(1);
    for (const one of [first, second, elsewhere]) await one.close();
    const again = await claimed(url);
    expect(again.claim.isAlone).toBe(true);
    await again.close();
  });

  it('is claimed again after the connection of the claim was lost, and a second exchange is noticed then', async () => {
    const { url, query } = await schema();
    const clock = new HandClock();
    const open = async () => {
      const { database, claim } = await openClaimed(url, log, { after: (ms, run) => clock.after(ms, run) });
      undo.push(async () => {
        await database.db.destroy();
        await claim.release();
      });
      return claim;
    };
    const ofClaim = `from pg_locks where locktype = 'advisory' and objsubid = 1
      and (classid::bigint << 32) | objid::bigint = hashtextextended('ringback_exchange ' || current_schema(), 0)`;
    /** Ends the connection that holds the lock of the claim, as a restart of PostgreSQL does. */
    const lose = () => query(`select pg_terminate_backend(pid) ${ofClaim}`);
    const notices = () => warned.filter((message) => message.includes('another exchange')).length;
    const before = notices();
    const first = await open();
    expect(first.isAlone).toBe(true);
    await lose();
    await vi.waitFor(() => expect(clock.pending).toBe(1), { timeout: scaled(10_000) });
    clock.advance(4_999);
    // In the time without the claim another exchange takes it.
    const second = await open();
    expect([second.isAlone, notices()]).toEqual([true, before]);
    clock.advance(1);
    await vi.waitFor(() => expect(notices()).toBe(before + 1), { timeout: scaled(10_000) });
    await lose();
    await vi.waitFor(() => expect(clock.pending).toBe(1), { timeout: scaled(10_000) });
    clock.advance(5_000);
    await vi.waitFor(async () => expect(await query(`select 1 ${ofClaim}`)).toHaveLength(1), {
      timeout: scaled(10_000),
    });
  });

  it(
    'answers while many transactions wait for one lock',
    async () => {
      const { url } = await schema();
      const database = await openDatabase(url, log, { connections: 4 });
      undo.push(() => database.db.destroy());
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const work = Array.from({ length: 20 }, () =>
        database.transact(async (transaction) => {
          await database.lock(transaction, 'the only one');
          await held;
        }),
      );
      const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db);
      expect(rows).toEqual([{ one: 1 }]);
      release();
      await Promise.all(work);
    },
    scaled(10_000),
  );

  it('stops a statement at its limit, but none of a migration', async () => {
    const { url } = await schema();
    const database = await openDatabase(url, log, { statementMs: 100 });
    undo.push(() => database.db.destroy());
    const slow = sql`select pg_sleep(0.3)`;
    await expect(slow.execute(database.db)).rejects.toThrow(/timeout/);
    let steps = 0;
    await migrate(database, {
      ...MIGRATIONS,
      '9999-slow': {
        async up(db) {
          await slow.execute(db);
          steps += 1;
        },
      },
    });
    expect(steps).toBe(1);
    // The next test of the schema expects only the real steps.
    await sql`delete from ringback_migrations where name = '9999-slow'`.execute(database.db);
  });
});
