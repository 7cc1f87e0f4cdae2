import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { StoreError } from './store-error.ts';
import type { Database as SqliteFile } from 'libsql';

/**
 * Creates a file that only its owner can read, unless it exists. An existing file is not opened: by POSIX a process
 * loses its locks on a file when it closes any descriptor of it, and SQLite uses these locks.
 *
 * @throws Error when it cannot be created.
 */
export function createPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

/**
 * Locks a SQLite file for one process, by a transaction on a database beside it, `FILE-lock`. The system releases the
 * lock when the process ends in any way. The file itself stays readable, so that it can be copied while the server
 * runs.
 *
 * @returns the function that releases the lock.
 * @throws StoreError when another process has the lock; the error of SQLite when the lock cannot be written.
 */
export async function lockFile(path: string): Promise<() => void> {
  const { default: Libsql } = await import('libsql');
  const beside = `${realpathSync(path)}-lock`;
  createPrivate(beside);
  const lock = new Libsql(beside);
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new StoreError(
      `The database ${path} is open in another exchange. Stop that exchange, or use another file: two exchanges would end each other's calls.`,
      { cause: error },
    );
  }
  return () => void lock.close();
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code));

/**
 * Checks that a SQLite file is complete. SQLite detects missing pages when it opens a file, but a damaged page only
 * when a query reads it. So this reads every page, about a gigabyte in four seconds. No other process may write
 * meanwhile.
 *
 * @throws StoreError when a part is missing or damaged; the error of SQLite when a page cannot be read.
 */
export function checkWhole(file: SqliteFile, path: string): void {
  const [check] = file.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
  if (check?.quick_check !== 'ok') throw damaged(path);
  // Writes the log's content of the last page first, since a process may have died while it wrote that page.
  file.exec('pragma wal_checkpoint(passive)');
  const [page] = file.prepare('pragma page_size').all() as { page_size: number }[];
  if (statSync(path).size % (page?.page_size ?? 1) !== 0) throw damaged(path);
}

/** Copies the whole log of a SQLite file into it, and syncs both. @throws Error when that fails. */
export function copyLog(file: SqliteFile): void {
  const [result] = file.prepare('pragma wal_checkpoint(truncate)').all() as { busy: number }[];
  if (result?.busy !== 0) throw new Error('The disk failed, and the log of the database could not be copied.');
}

const damaged = (path: string): StoreError =>
  new StoreError(`The database ${path} cannot be used: a part of it is missing or damaged; restore it from a copy.`);
