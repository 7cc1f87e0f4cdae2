import { closeSync, existsSync, openSync } from 'node:fs';

/**
 * Creates a file that only its owner can read, unless it exists. An existing file is not opened: by POSIX a process
 * loses its locks on a file when it closes any descriptor of it, and SQLite uses these locks.
 *
 * @throws Error when it cannot be created.
 */
export function createPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
