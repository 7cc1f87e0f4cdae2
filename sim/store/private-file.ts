import { closeSync, existsSync, openSync } from 'node:fs';

/**
 * Creates a file for its owner's eyes alone, where it does not exist. One that exists stays closed: by POSIX a process loses its
 * locks on a file when it closes any descriptor of it, and SQLite locks by them.
 *
 * @throws Error it cannot be created.
 */
export function createPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}
