interface Piece {
  /** The index of the piece in the text. */
  readonly at: number;
  readonly text: string;
  readonly isFound: boolean;
}

/** Splits a text at the sought words. Upper and lower case are equal, and so are full and half width. */
export function findWords(text: string, words: string): Piece[] {
  const sought = folded(words.trim());
  if (sought === '') return [{ at: 0, text, isFound: false }];
  const within = folded(text);
  // Normalizing may change the length of a text. The indexes would then be wrong, so the plain text is searched.
  const searched = within.length === text.length ? within : text;
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = searched.indexOf(sought); at !== -1; at = searched.indexOf(sought, from)) {
    if (at > from) pieces.push({ at: from, text: text.slice(from, at), isFound: false });
    from = at + sought.length;
    pieces.push({ at, text: text.slice(at, from), isFound: true });
  }
  if (from < text.length || pieces.length === 0) pieces.push({ at: from, text: text.slice(from), isFound: false });
  return pieces;
}

/** Returns how often a text contains the sought words. */
export function countWords(text: string, words: string): number {
  return findWords(text, words).filter(({ isFound }) => isFound).length;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
