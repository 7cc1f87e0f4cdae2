/** Longer than any nickname or gift, shorter than what a notification shows. */
const MOST_LETTERS = 64;

/** What may turn the order of the rest around, or is no letter at all. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Somebody else's words as one line of plain text, cut where it is too long. */
export function plainText(words: string): string {
  // A letter may be many characters, though never as many as here.
  const line = words
    .slice(0, MOST_LETTERS * 32)
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const letters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return letters.length <= MOST_LETTERS ? line : `${letters.slice(0, MOST_LETTERS - 1).join('')}…`;
}
