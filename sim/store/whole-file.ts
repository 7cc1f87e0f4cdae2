import { statSync } from 'node:fs';
import type { Database as SqliteFile } from 'libsql';
import { StoreError } from './store-error.ts';

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

const damaged = (path: string): StoreError =>
  new StoreError(`The database ${path} cannot be used: a part of it is missing or damaged; restore it from a copy.`);
