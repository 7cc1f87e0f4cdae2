import { appendFileSync, closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type OpenFile, WriteAheadLog } from '../../../sim/store/write-ahead-log.ts';

/** The syncs that the system makes. The test completes each one. */
const disk = {
  syncs: [] as ((error: Error | null) => void)[],
  closed: 0,
};
const system: OpenFile = {
  sync: () =>
    new Promise((resolve, reject) => void disk.syncs.push((error) => (error === null ? resolve() : reject(error)))),
  close(descriptor) {
    disk.closed += 1;
    closeSync(descriptor);
  },
};

function aLog(copy: () => void = () => undefined): WriteAheadLog {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'some.db-wal'), '');
  appendFileSync(join(folder, 'some.db-wal'), 'a page');
  return new WriteAheadLog(join(folder, 'some.db'), copy, system);
}

beforeEach(() => {
  disk.syncs = [];
  disk.closed = 0;
});

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  void promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  await new Promise((resolve) => void setImmediate(resolve));
  return isSettled;
};

describe('S27 the log of a SQLite file', () => {
  it('is synced once for all who come while a sync runs, after that one', async () => {
    const log = aLog();
    const first = log.synced();
    const others = [log.synced(), log.synced(), log.synced()];
    expect(disk.syncs).toHaveLength(1);
    disk.syncs[0]?.(null);
    await first;
    expect(await settled(Promise.race(others))).toBe(false);
    expect(disk.syncs).toHaveLength(2);
    disk.syncs[1]?.(null);
    await Promise.all(others);
    expect(disk.syncs).toHaveLength(2);
    log.close();
  });

  it('fails those whose sync failed, and no others', async () => {
    const log = aLog();
    const [first, second] = [log.synced(), log.synced()];
    disk.syncs[0]?.(new Error('EIO: i/o error'));
    await expect(first).rejects.toThrow('EIO');
    await vi.waitUntil(() => disk.syncs.length === 2);
    disk.syncs[1]?.(null);
    await second;
    log.close();
  });

  it('is copied into the file after a failed sync, before anything else is synced', async () => {
    const copy = vi.fn<() => void>();
    const log = aLog(copy);
    log.requireWhole();
    const first = log.synced();
    disk.syncs[0]?.(new Error('EIO: i/o error'));
    await expect(first).rejects.toThrow('EIO');
    expect(copy).not.toHaveBeenCalled();
    copy.mockImplementationOnce(() => {
      throw new Error('the disk is gone');
    });
    expect(() => log.requireWhole()).toThrow('the disk is gone');
    copy.mockImplementationOnce(() => {
      throw new Error('the disk is gone');
    });
    await expect(log.synced()).rejects.toThrow('the disk is gone');
    expect(disk.syncs).toHaveLength(1);
    log.requireWhole();
    log.requireWhole();
    expect(copy).toHaveBeenCalledTimes(3);
    log.close();
  });

  it('is copied into the file after SQLite could not copy it', () => {
    const copy = vi.fn<() => void>();
    const log = aLog(copy);
    log.distrust();
    log.requireWhole();
    log.requireWhole();
    expect(copy).toHaveBeenCalledOnce();
    log.close();
  });

  it('is closed after the syncs that are under way', async () => {
    const log = aLog();
    const both = [log.synced(), log.synced()];
    log.close();
    disk.syncs[0]?.(null);
    await vi.waitUntil(() => disk.syncs.length === 2);
    expect(disk.closed).toBe(0);
    disk.syncs[1]?.(null);
    await Promise.all(both);
    expect(disk.closed).toBe(1);
  });
});
