/** One numbered part of a legal text. */
export interface LegalSection {
  /** Its place in the address: `#calls`. */
  readonly id: string;
  title(): string;
  /** Paragraphs, one a line; lines that begin with "- " are points of a list. `host` is that of the site. */
  text(inputs: { host: string }): string;
}

/** What is printed of a text: paragraphs, and lists of points that follow each other. */
export type LegalBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly points: readonly string[] };

const POINT = '- ';

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
