/**
 * Joins the parts of a text that is kept for long. V8 makes a concatenated text of parts, each of which takes 32 bytes,
 * and joins them when a character is read.
 */
export function joined(text: string): string {
  // The character is used, since V8 may leave out a read without a use.
  return text.codePointAt(0) === undefined ? '' : text;
}
