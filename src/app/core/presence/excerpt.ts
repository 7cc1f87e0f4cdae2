const LETTERS = 200;

/** Returns the first letters of a socket message, as many as a log needs. */
export function excerpt(data: unknown): string {
  const text = typeof data === 'string' ? data : Object.prototype.toString.call(data);
  return text.length <= LETTERS ? text : `${text.slice(0, LETTERS)}…`;
}
