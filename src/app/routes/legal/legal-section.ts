/** A numbered section of a legal text. */
export interface LegalSection {
  /** The fragment of its address: `#calls`. */
  readonly id: string;
  title(): string;
  /**
   * Returns the text, with one paragraph on each line. Lines that begin with "- " are items of a list. `host` is the
   * host name of the site.
   */
  text(inputs: { host: string }): string;
}

/** A part of a printed text: a paragraph, or a list of adjacent items. */
export type LegalBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly points: readonly string[] };

const POINT = '- ';

/** Splits the text of a section into paragraphs and lists. */
export function blocksOf(text: string): LegalBlock[] {
  const blocks: LegalBlock[] = [];
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    if (!line.startsWith(POINT)) blocks.push({ kind: 'paragraph', text: line });
    else if (last?.kind === 'list')
      blocks[blocks.length - 1] = { kind: 'list', points: [...last.points, line.slice(POINT.length)] };
    else blocks.push({ kind: 'list', points: [line.slice(POINT.length)] });
  }
  return blocks;
}
