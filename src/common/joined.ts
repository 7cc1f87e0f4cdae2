/**
 * Joins the parts of a text that is kept for long, so that it takes less memory. V8 keeps 32 bytes for each
 * concatenation. It joins the parts when a character is read.
 */
export function joined(text: string): string {
  // The character is used, so that no compiler leaves the read out.
  return text.codePointAt(0) === undefined ? '' : text;
}
