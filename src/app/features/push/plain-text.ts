/** The maximum number of letters: longer than any nickname or gift, shorter than the text of a notification. */
const MOST_LETTERS = 64;

/** Matches control characters, and characters that reverse the direction of the following text. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Returns the text of another user as one line of plain text, shortened to the maximum. */
export function plainText(words: string): string {
  // A letter may consist of several characters, but never of this many.
  const line = words
    .slice(0, MOST_LETTERS * 32)
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const letters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return letters.length <= MOST_LETTERS ? line : `${letters.slice(0, MOST_LETTERS - 1).join('')}…`;
}
