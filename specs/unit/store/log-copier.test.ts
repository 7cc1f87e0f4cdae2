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
  readonly failed: (code: string) => void;
}
let copies: Copy[] = [];
const thread = { started: 0, closed: 0 };
const start = (): LogCopy => {
  thread.started += 1;
  return {
    copy: () =>
      new Promise((resolve, reject) => {
        copies.push({ done: resolve, failed: (code) => reject(Object.assign(new Error(code), { code })) });
      }),
    close: async () => void (thread.closed += 1),
  };
};
const onDiskFailure = vi.fn<() => void>();

beforeEach(() => {
  copies = [];
  Object.assign(thread, { started: 0, closed: 0 });
  onDiskFailure.mockReset();
});

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function commit(copier: LogCopier, times: number): void {
  for (let at = 0; at < times; at += 1) copier.committed();
}

/** Completes the copy that is under way. */
async function complete(pages: number): Promise<void> {
  copies.shift()?.done(pages);
  await turn();
}

describe('the copies of the log of a SQLite file', () => {
  it('begin after commits of about 1,000 pages, by the pages of those before', async () => {
    const copier = new LogCopier({ start, onDiskFailure });
    commit(copier, 99);
    expect(thread.started).toBe(0);
    commit(copier, 1);
    expect(copies).toHaveLength(1);
    // A short log has no rest, and its commits have two pages each.
    await complete(200);
    expect(copier.beforeTransaction()).toBeNull();
    commit(copier, 499);
    expect(copies).toHaveLength(0);
    commit(copier, 1);
    expect(copies).toHaveLength(1);
    await complete(2_000);
    expect(thread.started).toBe(1);
  });

  it('have a rest, which is copied before the next transaction, and no other copy meanwhile', async () => {
    const copier = new LogCopier({ start, onDiskFailure });
    commit(copier, 150);
    expect(copies).toHaveLength(1);
    expect(copier.beforeTransaction()).toBeNull();
    await complete(1_000);
    commit(copier, 300);
    expect(copies).toHaveLength(0);
    const ready = copier.beforeTransaction();
    expect(copier.beforeTransaction()).toBeNull();
    expect(copies).toHaveLength(1);
    await complete(1_100);
    await ready;
    // The log is written from its start again.
    commit(copier, 99);
    expect(copies).toHaveLength(0);
    commit(copier, 1);
    expect(copies).toHaveLength(1);
  });

  it('hold transactions that come faster than the thread copies', async () => {
    const copier = new LogCopier({ start, onDiskFailure });
    commit(copier, 199);
    expect(copier.beforeTransaction()).toBeNull();
    commit(copier, 1);
    let isReady = false;
    const ready = copier.beforeTransaction()?.then(() => (isReady = true));
    await complete(1_000);
    expect([isReady, copies.length]).toEqual([false, 1]);
    await complete(2_000);
    await ready;
    expect(isReady).toBe(true);
  });

  it('end a thread that failed, and start another one', async () => {
    const copier = new LogCopier({ start, onDiskFailure });
    commit(copier, 100);
    copies.shift()?.failed('SQLITE_FULL');
    await turn();
    expect([thread.closed, onDiskFailure.mock.calls.length]).toEqual([1, 0]);
    expect(copier.beforeTransaction()).toBeNull();
    commit(copier, 100);
    expect(thread.started).toBe(2);
    copies.shift()?.failed('SQLITE_IOERR_FSYNC');
    await turn();
    expect(onDiskFailure).toHaveBeenCalledOnce();
  });

  it('end with the database, and do not begin again', async () => {
    const copier = new LogCopier({ start, onDiskFailure });
    commit(copier, 100);
    await complete(1_000);
    await copier.close();
    expect(thread.closed).toBe(1);
    await copier.beforeTransaction();
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
    await db.destroy();
    expect(close).toHaveBeenCalledOnce();
  });

  it('reports the code of SQLite', async () => {
    const path = newFile();
    const { db } = await openSqlite(path);
    const copies = new LogCopyThread(path);
    {
      // The answer of a thread whose disk has failed.
      using _ = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker) {
        this.emit('message', { code: 'SQLITE_IOERR_FSYNC', message: 'disk I/O error' });
      });
      await expect(copies.copy()).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC', message: 'disk I/O error' });
    }
    expect(await copies.copy()).toBe(0);
    await copies.close();
    await db.destroy();
  });

  it('reports that it could not open the file', async () => {
    const path = newFile();
    const file = await openSqlite(path);
    await file.db.destroy();
    rmSync(path);
    const copies = new LogCopyThread(join(path, 'nowhere'));
    await expect(copies.copy()).rejects.toThrow();
    await expect(copies.copy()).rejects.toThrow('the thread has ended');
    await copies.close();
  });

  it('lets no write pass after the disk failed, until the whole log is copied', async () => {
    using failing = vi
      .spyOn(LogCopyThread.prototype, 'copy')
      .mockRejectedValue(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' }));
    using distrusted = vi.spyOn(WriteAheadLog.prototype, 'distrust');
    const { db, transact } = await openSqlite(newFile());
    await sql`create table kept (id integer primary key)`.execute(db);
    for (let at = 0; at < 120; at += 1)
      await transact((one) => sql`insert into kept default values`.execute(one), 'crash');
    expect(failing).toHaveBeenCalledOnce();
    expect(distrusted).toHaveBeenCalledOnce();
    await db.destroy();
  });
});
