/** Returns the word that was probably meant: the nearest of `words`, if one is near (Levenshtein). Else undefined. */
export function nearWord(word: string, words: readonly string[]): string | undefined {
  const near = words
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= Math.max(word.length > 3 ? 2 : 1, Math.floor(word.length / 3))
    ? near.candidate
    : undefined;
}

function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns ` (did you mean dial?)`, or an empty text. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = nearWord(word, words);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
