import { relative } from 'node:path';

/** A path as people write it: from here, where it lies below. */
export function shownPath(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') ? file : near;
}
