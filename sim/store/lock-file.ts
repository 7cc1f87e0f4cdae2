import { realpathSync } from 'node:fs';
import { createPrivate } from './private-file.ts';
import { StoreError } from './store-error.ts';

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
