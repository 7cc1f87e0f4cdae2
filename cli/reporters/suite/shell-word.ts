/** As a shell takes it for one word. */
export const shellWord = (word: string): string =>
  /^[\w./=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
