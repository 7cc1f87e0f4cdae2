import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LogCopy, LogCopier } from '../../../sim/store/log-copier.ts';
import { LogCopyThread } from '../../../sim/store/log-copy-thread.ts';
import { openMigrated } from '../../../sim/store/open-store.ts';
import { openSqlite } from '../../../sim/store/sqlite.ts';
import { statement } from '../../../sim/store/statement.ts';
import { WriteAheadLog } from '../../../sim/store/write-ahead-log.ts';

/** The copies that are under way. The test completes each one. */
interface Copy {
  readonly done: (pages: number) => void;
  readonly failed: (error: Error) => void;
}
let copies: Copy[] = [];
const thread = { started: 0, closed: 0 };
const start = (): LogCopy => {
  thread.started += 1;
  return {
    copy: () => new Promise((resolve, reject) => void copies.push({ done: resolve, failed: reject })),
    close: async () => void (thread.closed += 1),
  };
};
const onFailure = vi.fn<(error: unknown) => void>();

beforeEach(() => {
  copies = [];
  Object.assign(thread, { started: 0, closed: 0 });
  onFailure.mockReset();
});

function commit(copier: LogCopier, times: number): void {
  for (let at = 0; at < times; at += 1) {
    copier.committed();
    copier.copyLong();
  }
}

/** Completes the copy that is under way. */
async function complete(copier: LogCopier, pages: number): Promise<void> {
  const { copying } = copier;
  copies.shift()?.done(pages);
  await copying;
}

describe('the copies of the log of a SQLite file', () => {
  it('begin after commits of about 1,000 pages, by the pages of those before', async () => {
    const copier = new LogCopier({ start, onFailure });
    commit(copier, 49);
    expect(thread.started).toBe(0);
    commit(copier, 50);
    expect([thread.started, copier.copying]).toEqual([1, null]);
    commit(copier, 1);
    expect([copies.length, copier.copying]).toEqual([1, expect.any(Promise)]);
    await complete(copier, 500);
    expect(copier.copying).toBeNull();
    commit(copier, 199);
    expect(copies).toHaveLength(0);
    commit(copier, 1);
    expect(copies).toHaveLength(1);
    await complete(copier, 20_000);
    commit(copier, 10);
    expect(copies).toHaveLength(1);
    expect(thread.started).toBe(1);
  });

  it('begin after 250 commits at the latest, and one after the other', async () => {
    const copier = new LogCopier({ start, onFailure });
    commit(copier, 100);
    // Another process may keep SQLite from copying.
    await complete(copier, -1);
    commit(copier, 99);
    expect(copies).toHaveLength(0);
    commit(copier, 1);
    await complete(copier, 2);
    commit(copier, 250);
    expect(copies).toHaveLength(1);
    commit(copier, 1_000);
    expect(copies).toHaveLength(1);
    await complete(copier, 1_000);
    copier.copyLong();
    expect(copies).toHaveLength(1);
  });

  it('end with the first failure', async () => {
    const copier = new LogCopier({ start, onFailure });
    commit(copier, 100);
    const { copying } = copier;
    const error = new Error('no thread');
    copies.shift()?.failed(error);
    await copying;
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(error);
    commit(copier, 1_000);
    expect([copies.length, thread.started]).toEqual([0, 1]);
    await copier.close();
    expect(thread.closed).toBe(1);
  });

  it('do not begin when the thread cannot start', () => {
    const error = new Error('no thread');
    const copier = new LogCopier({
      start() {
        throw error;
      },
      onFailure,
    });
    commit(copier, 200);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(error);
    expect(copier.copying).toBeNull();
  });

  it('end with the database, after the one that is under way', async () => {
    const copier = new LogCopier({ start, onFailure });
    commit(copier, 100);
    const closed = copier.close();
    expect(thread.closed).toBe(0);
    await complete(copier, 1_000);
    await closed;
    expect(thread.closed).toBe(1);
    commit(copier, 1_000);
    expect(copies).toHaveLength(0);
  });
});

describe('S27 the thread that copies the log', () => {
  function newFile(): string {
    const folder = mkdtempSync(join(tmpdir(), 'ringback-copier-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return join(folder, 'some.db');
  }

  it('keeps the log of a busy database short, and every transaction in the file', async () => {
    const path = newFile();
    const { db, transact } = await openSqlite(path);
    await sql`create table kept (id integer primary key, text text)`.execute(db);
    const text = 'x'.repeat(3_000);
    for (let at = 0; at < 3_000; at += 1)
      await transact((one) => sql`insert into kept (text) values (${text})`.execute(one), 'crash');
    // Without the thread, SQLite copies the log at 4,000 pages.
    expect(statSync(`${path}-wal`).size).toBeLessThan(3_000 * 4_096);
    expect(statSync(path).size).toBeGreaterThan(2_000 * 3_000);
    await db.destroy();

    const again = await openSqlite(path);
    const { rows } = await sql<{ count: number }>`select count(*) as count from kept`.execute(again.db);
    expect(rows).toEqual([{ count: 3_000 }]);
    await again.db.destroy();
  });

  it('counts statements outside of a transaction, and ends before the database', async () => {
    using copy = vi.spyOn(LogCopyThread.prototype, 'copy');
    using close = vi.spyOn(LogCopyThread.prototype, 'close');
    const { db } = await openMigrated(newFile(), { warn: () => undefined });
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    await Promise.all(Array.from({ length: 110 }, (_, at) => add(db, { id: `user-${at}` })));
    expect(copy).toHaveBeenCalledOnce();
    // The next copy comes after 250 small commits at the latest. Kysely makes these.
    for (let at = 200; at < 450; at += 1)
      await db
        .insertInto('ringback_callers')
        .values({ user_id: `user-${at}` })
        .execute();
    expect(copy).toHaveBeenCalledTimes(2);
    await db.destroy();
    expect(close).toHaveBeenCalledOnce();
  });

  it('begins no copy while a write may be under way', async () => {
    using copy = vi.spyOn(LogCopyThread.prototype, 'copy');
    const { db } = await openMigrated(newFile(), { warn: () => undefined });
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    await db.connection().execute(async () => {
      for (let at = 0; at < 120; at += 1) await add(db, { id: `user-${at}` });
      expect(copy).not.toHaveBeenCalled();
    });
    expect(copy).toHaveBeenCalledOnce();
    await db.destroy();
  });

  it('distrusts the log only after an error of the disk, and warns of any', async () => {
    using _ = vi
      .spyOn(LogCopyThread.prototype, 'copy')
      .mockRejectedValue(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }));
    using distrust = vi.spyOn(WriteAheadLog.prototype, 'distrust');
    const warn = vi.fn<() => void>();
    const { db, transact } = await openMigrated(newFile(), { warn });
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    for (let at = 0; at < 120; at += 1) await transact((one) => add(one, { id: `user-${at}` }), 'crash');
    expect([distrust.mock.calls.length, warn.mock.calls.length]).toEqual([0, 1]);
    await db.destroy();
  });

  it('reports the code of SQLite', async () => {
    const path = newFile();
    const { db } = await openSqlite(path);
    const copying = new LogCopyThread(path);
    {
      // The answer of a thread whose disk has failed.
      using _ = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker) {
        this.emit('message', { code: 'SQLITE_IOERR_FSYNC', message: 'disk I/O error' });
      });
      await expect(copying.copy()).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC', message: 'disk I/O error' });
    }
    expect(await copying.copy()).toBe(0);
    await copying.close();
    await db.destroy();
  });

  it('reports that it could not open the file', async () => {
    const path = newFile();
    const file = await openSqlite(path);
    await file.db.destroy();
    rmSync(path);
    const copying = new LogCopyThread(join(path, 'nowhere'));
    await expect(copying.copy()).rejects.toThrow();
    await copying.close();
    await expect(copying.copy()).rejects.toMatchObject({ cause: expect.any(Error) });
  });

  it('does not keep the program from ending, and ends itself while it copies', () => {
    const program = `
      const { LogCopyThread } = await import(${JSON.stringify(new URL('../../../sim/store/log-copy-thread.ts', import.meta.url).href)});
      const idle = new LogCopyThread(${JSON.stringify(newFile())});
      await idle.copy();
      const copying = new LogCopyThread(${JSON.stringify(newFile())});
      const copied = copying.copy();
      await copying.close();
      console.log('closed', await copied);`;
    const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect([stdout, status]).toEqual(['closed -1\n', 0]);
  });

  it('lets no write pass after the disk failed, until the whole log is copied', async () => {
    using failing = vi
      .spyOn(LogCopyThread.prototype, 'copy')
      .mockRejectedValue(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' }));
    const path = newFile();
    const onCopyFailed = vi.fn<(error: unknown) => void>();
    const { db, transact } = await openSqlite(path, { onCopyFailed });
    const autocheckpoint = async () => (await sql`pragma wal_autocheckpoint`.execute(db)).rows;
    expect(await autocheckpoint()).toEqual([{ wal_autocheckpoint: 4_000 }]);
    await sql`create table kept (id integer primary key)`.execute(db);
    const add = () => transact((one) => sql`insert into kept default values`.execute(one), 'crash');
    for (let at = 0; at < 120; at += 1) await add();
    expect(failing).toHaveBeenCalledOnce();
    expect(onCopyFailed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'SQLITE_IOERR_FSYNC' }));
    // A copy of all leaves an empty log, and only one was made.
    const pages = statSync(`${path}-wal`).size / 4_120;
    expect(pages).toBeGreaterThan(10);
    expect(pages).toBeLessThan(100);
    expect(await autocheckpoint()).toEqual([{ wal_autocheckpoint: 1_000 }]);
    await db.destroy();
  });

  it('lets no transaction pass that has waited for a copy that failed', async () => {
    const path = newFile();
    const { db, transact } = await openSqlite(path);
    await sql`create table kept (id integer primary key)`.execute(db);
    const add = () => transact((one) => sql`insert into kept default values`.execute(one), 'crash');
    let failed = (_error: Error): void => undefined;
    using copy = vi.spyOn(LogCopyThread.prototype, 'copy');
    copy.mockImplementation(() => new Promise((_, reject) => (failed = reject)));
    while (copy.mock.calls.length === 0) await add();
    const waiting = add();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(100 * 4_096);
    failed(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' }));
    await waiting;
    // The log was copied before, and has this transaction alone.
    expect(statSync(`${path}-wal`).size).toBeLessThan(10 * 4_096);
    await db.destroy();
  });

  it('does not take a copy for a whole one while another connection reads', async () => {
    const path = newFile();
    const { db, transact } = await openSqlite(path);
    await sql`create table kept (id integer primary key)`.execute(db);
    const { default: Libsql } = await import('libsql');
    const reader = new Libsql(path);
    reader.exec('begin; select * from kept');
    await transact((one) => sql`insert into kept default values`.execute(one));
    const copying = new LogCopyThread(path);
    expect(await copying.copy()).toBe(-1);
    reader.exec('commit');
    reader.close();
    expect(await copying.copy()).toBeGreaterThan(0);
    await copying.close();
    await db.destroy();
  });

  it('refuses a statement of a closed file, and does not end the process', async () => {
    const { db } = await openMigrated(newFile(), { warn: () => undefined });
    const find = statement((on) => on.selectFrom('ringback_callers').select('user_id'));
    await db.destroy();
    await expect(find(db, {})).rejects.toThrow();
  });

  it('lets no commit come while it copies, whatever makes it', async () => {
    const path = newFile();
    const { db, transact } = await openMigrated(path, { warn: () => undefined });
    const add = statement((on, { id }: { id: string }) => on.insertInto('ringback_callers').values({ user_id: id }));
    const ids = (() => {
      let last = 0;
      return () => `user-${(last += 1)}`;
    })();
    let ended = (_pages: number): void => undefined;
    using copy = vi.spyOn(LogCopyThread.prototype, 'copy');
    copy.mockImplementation(() => new Promise((resolve) => (ended = resolve)));
    while (copy.mock.calls.length === 0) await transact((one) => add(one, { id: ids() }), 'crash');

    let written = 0;
    const writes = [
      transact((one) => add(one, { id: ids() })),
      add(db, { id: ids() }),
      db.insertInto('ringback_callers').values({ user_id: ids() }).execute(),
    ].map((write) => write.then(() => (written += 1)));
    const find = statement((on) => on.selectFrom('ringback_callers').select('user_id'));
    const before = await find(db, {});
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
    expect([written, await find(db, {})]).toEqual([0, before]);
    ended(1_000);
    await Promise.all(writes);
    expect(await find(db, {})).toHaveLength(before.length + 3);
    await db.destroy();
  });
});
