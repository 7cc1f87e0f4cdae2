import { relative } from 'node:path';

/** Returns a path for messages: relative to the current folder when it is below that folder. */
export function shownPath(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') ? file : near;
}
