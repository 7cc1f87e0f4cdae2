import { statSync } from 'node:fs';
import type { Database as SqliteFile } from 'libsql';
import { StoreError } from './store-error.ts';

/**
 * Checks that a SQLite file is whole. SQLite finds missing pages when it opens a file, and a damaged page only when a query reads
 * it; so every page is read here, about a gigabyte in four seconds. No other process may write meanwhile.
 *
 * @throws StoreError a part is missing or damaged; Error of SQLite where a page cannot be read.
 */
export function checkWhole(file: SqliteFile, path: string): void {
  const [check] = file.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
  if (check?.quick_check !== 'ok') throw damaged(path);
  // What the log beside the file has of the last page is written first: a process may have died as it wrote that page.
  file.exec('pragma wal_checkpoint(passive)');
  const [page] = file.prepare('pragma page_size').all() as { page_size: number }[];
  if (statSync(path).size % (page?.page_size ?? 1) !== 0) throw damaged(path);
}

const damaged = (path: string): StoreError =>
  new StoreError(`The database ${path} cannot be used: a part of it is missing or damaged; restore it from a copy.`);
