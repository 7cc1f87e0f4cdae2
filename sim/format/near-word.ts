/** Returns the word that was probably meant: the nearest of `words`, if one is near (Damerau-Levenshtein). Else undefined. */
export function nearWord(word: string, words: readonly string[]): string | undefined {
  const near = words
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= Math.max(word.length > 3 ? 2 : 1, Math.floor(word.length / 3))
    ? near.candidate
    : undefined;
}

function distanceOf(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      // Two letters in the wrong order are one mistake.
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns ` (did you mean dial?)`, or an empty text. */
export function didYouMean(word: string, words: readonly string[]): string {
  // The equal beginning of two paths does not make them similar: call.held is not call.id.
  const first = areaOf(word);
  const beside = words.filter((candidate) => first !== '' && candidate.startsWith(first));
  const rest = nearWord(
    word.slice(first.length),
    beside.map((candidate) => candidate.slice(first.length)),
  );
  const near = rest === undefined ? nearWord(word, beside.length > 0 ? [] : words) : `${first}${rest}`;
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Returns the part of a path up to its first dot, with the dot. Empty for a word. */
const areaOf = (path: string): string => path.slice(0, path.indexOf('.') + 1);

/** The longest list of words that a message quotes in full. */
const SHORT = 160;
const SIMILAR = 3;

/**
 * Returns the known words in place of an unknown one, for the end of a message: the probable one, and all of them if
 * they are few, else the most similar ones.
 * @param lists - the command that lists all of them.
 */
export function knownInstead(word: string, words: readonly string[], lists?: string): string {
  const meant = didYouMean(word, words);
  const all = words.join(', ');
  if (words.length === 0) return '';
  if (words.length === 1) return `${meant}: only ${all} is known`;
  if (all.length <= SHORT) return `${meant}: known are ${all}`;
  const where = lists === undefined ? '' : `; "${lists}" lists all`;
  return meant === '' ? `: similar are ${similarWords(word, words).join(', ')}${where}` : `${meant}${where}`;
}

/** Returns the most similar words, those with the same first part before the others. */
function similarWords(word: string, words: readonly string[]): string[] {
  const rank = (candidate: string) =>
    (areaOf(candidate) === areaOf(word) ? 0 : 1_000) + distanceOf(word.toLowerCase(), candidate.toLowerCase());
  return words.toSorted((a, b) => rank(a) - rank(b)).slice(0, SIMILAR);
}
