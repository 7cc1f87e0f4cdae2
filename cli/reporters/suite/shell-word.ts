/** Quotes a text so that a shell reads it as one word. */
export const shellWord = (word: string): string =>
  /^[\w./=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
