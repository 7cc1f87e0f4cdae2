import { closeSync, openSync, readSync } from 'node:fs';
import { InvalidFile, LARGEST_FILE } from '../../sim/format/source.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { shownPath } from './shown-path.ts';

/** The character that a decoder writes for bytes that are no character. */
const REPLACEMENT = '\u{fffd}';
/** The most bytes of a character in UTF-8, for each of its units in UTF-16. */
const BYTES_A_CHARACTER = 3;
const CHUNK = 64 * 1024;

/** The error of a file with more bytes than a command reads. */
class TooLarge extends Error {}

/**
 * Returns the bytes of a file, or of a pipe. It reads no more than the limit, however long the file is.
 * @throws TooLarge above the limit.
 */
export function readAtMost(path: string, most: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(file, chunk, 0, CHUNK, null);
      if (read === 0) return Buffer.concat(chunks, length);
      length += read;
      if (length > most) throw new TooLarge(`it has more than ${most} bytes`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the text of a scenario, a fragment or a script.
 * @throws InvalidFile for a file that is too large, and with the place of the first bytes that are not UTF-8.
 */
export function readText(path: string): string {
  const bytes = bytesOf(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = bytes.toString('utf8').split(REPLACEMENT, 1)[0] ?? '';
    const lines = before.split('\n');
    const place = { file: shownPath(path), line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
    throw new InvalidFile([{ ...place, message: 'the bytes here are not UTF-8: save the file as UTF-8' }]);
  }
}

function bytesOf(path: string): Buffer {
  try {
    return readAtMost(path, LARGEST_FILE * BYTES_A_CHARACTER);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const message = `the file is too long: ${error.message}, and ${LARGEST_FILE} characters are the most`;
    throw new InvalidFile([{ file: shownPath(path), line: 1, column: 1, message }]);
  }
}

/**
 * Returns the text of the one file that a command line names.
 * @throws CommandError (usage) when it cannot be read; (invalid) when it is too large or not UTF-8.
 */
export function readNamedText(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    if (error instanceof InvalidFile) throw new CommandError(error.message, EXIT.invalid);
    throw new CommandError(`${path} cannot be read: ${unreadableWords(error)}.`, EXIT.usage);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};

/** Returns why a file cannot be read, in words. */
export function unreadableWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
}
