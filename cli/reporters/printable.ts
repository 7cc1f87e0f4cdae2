import type { OutputStream } from './reporter.ts';

/** Control characters, and the marks that change the direction of a text. A terminal obeys them. */
const OBEYED = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Returns a text for a terminal: characters that a terminal obeys are written as `\u{1b}`. Texts of files, peers and
 * servers could move the cursor and rewrite lines otherwise. Line ends and tabs stay.
 */
export const printable = (text: string): string =>
  text.replaceAll(OBEYED, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));

/** Returns a text for a part of a line: line ends and tabs are escaped too. */
export const printableWord = (text: string): string => text.replaceAll(OBEYED, escaped);

/** Writes a line to a stream that may be a terminal. */
export const writeLine = (stream: OutputStream, text: string): void => stream.write(`${printable(text)}\n`);

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
