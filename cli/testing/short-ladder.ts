/** The lines of a ladder that name its columns. */
const HEAD = 2;
/** The most lines of a ladder in an error. */
const MOST = 150;

/** Returns a ladder for the text of an error: the names of its columns, and its last lines. */
export function shortLadder(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= HEAD + MOST) return text;
  const left = lines.length - HEAD - MOST;
  return [...lines.slice(0, HEAD), `(${left} earlier lines are in the picture)`, ...lines.slice(-MOST)].join('\n');
}
