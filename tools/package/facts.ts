/** A constant of a package, in the use that the library makes of it. The build writes it in place of the code. */
export interface Fact {
  readonly find: RegExp;
  readonly is: string;
  /** The number of places. Another version of the package may have another number. */
  readonly times: number;
}

/**
 * Returns the code of a package with the facts. The lines stay what they are.
 *
 * @throws Error when the code has a fact another number of times, as in another version of the package.
 */
export const withFacts = (code: string, facts: readonly Fact[]): string =>
  facts.reduce((text, { find, is, times }) => {
    const found = text.match(find)?.length ?? 0;
    if (found !== times)
      throw new Error(`the package has ${find.source} ${found} times, not ${times}: check its facts in tools/package`);
    return text.replace(find, is);
  }, code);
