/** A document that has generated parts between its other text. */

/** Returns the line before a generated part. */
const begin = (name: string) => `<!-- made by npm run docs: ${name} -->`;
const END = '<!-- end -->';
const PART = /<!-- made by npm run docs: ([\w-]+) -->\n[^]*?<!-- end -->/g;

/**
 * Returns the text with each part between its two marks.
 * @throws Error when the text lacks a part, or has one that does not exist.
 */
export function fillParts(text: string, parts: Readonly<Record<string, readonly string[]>>): string {
  const found = new Set<string>();
  const filled = text.replaceAll(PART, (_, name: string) => {
    const lines = parts[name];
    if (!lines) throw new Error(`no part has the name ${name}: they are ${Object.keys(parts).join(', ')}`);
    found.add(name);
    return [begin(name), '', ...lines, '', END].join('\n');
  });
  const missing = Object.keys(parts).filter((name) => !found.has(name));
  if (missing.length === 0) return filled;
  throw new Error(`the document lacks the lines ${begin(missing[0] ?? '')} and ${END}`);
}
