import { readFileSync } from 'node:fs';
import { InvalidFile } from '../../sim/format/source.ts';
import { shownPath } from './shown-path.ts';

/** The character that a decoder writes for bytes that are no character. */
const REPLACEMENT = '\u{fffd}';

/**
 * Returns the text of a file.
 * @throws InvalidFile with the place of the first bytes that are not UTF-8.
 */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = bytes.toString('utf8').split(REPLACEMENT, 1)[0] ?? '';
    const lines = before.split('\n');
    const place = { file: shownPath(path), line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
    throw new InvalidFile([{ ...place, message: 'the bytes here are not UTF-8: save the file as UTF-8' }]);
  }
}
