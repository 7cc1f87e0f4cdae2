/** The texts of pictures: times and escaped words. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns the text escaped for XML and HTML, also within double quotes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);

/** Returns the number of the call of a message, behind its name: ` #2`. Empty without one. */
export const callText = (call: number | undefined): string => (call === undefined ? '' : ` #${call}`);

/** Returns milliseconds as text: 2.5s, 340ms. */
export function spanText(ms: number): `${number}ms` | `${number}s` {
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  return `${Number((ms / 1_000).toFixed(3))}s`;
}

/** Returns a moment in seconds, to the millisecond. */
export const clockText = (at: number): string => `${(at / 1_000).toFixed(3)} s`;

/** Returns a moment in seconds, as wide as the widest of a run of a few minutes. */
export const momentText = (at: number): string => (at / 1_000).toFixed(3).padStart(9);
