const LETTERS = 200;

/** Of what came over a socket, as much as a log needs: nobody reads a megabyte. */
export function excerpt(data: unknown): string {
  const text = typeof data === 'string' ? data : Object.prototype.toString.call(data);
  return text.length <= LETTERS ? text : `${text.slice(0, LETTERS)}…`;
}
