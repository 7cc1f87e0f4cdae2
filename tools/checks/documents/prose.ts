/** Reads the parts of a file that may cite: a whole document, or the comments and test titles of code. */
import { parseSync, Visitor } from 'oxc-parser';

export interface Prose {
  readonly text: string;
  /** The offset in the file. */
  readonly at: number;
}

const isRead = (name: string) => /\.(md|ya?ml|css|tsx?|[cm]?[jt]s)$/.test(name);
/** In a document, a scenario or a list, every word is prose. */
const isWhole = (name: string) => /\.(md|ya?ml)$|\.scenario\.ts$/.test(name);
const TESTS = new Set(['it', 'test', 'describe']);
const TEXTS = new Set(['Literal', 'TemplateLiteral', 'BinaryExpression']);

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Node extends Span {
  readonly type: string;
}

/** Returns the name at the root of a call: `it` of `it.each(rows)('title')`. */
function rootName(callee: Node): string | undefined {
  if ('name' in callee && typeof callee.name === 'string') return callee.name;
  for (const part of ['object', 'callee', 'tag'] as const) {
    if (part in callee) return rootName((callee as Node & Record<typeof part, Node>)[part]);
  }
  return undefined;
}

/** Joins comments with only white space between them, because a sentence may continue in the next `//`. */
function joined(comments: readonly Span[], source: string): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of comments) {
    const last = spans.at(-1);
    const goesOn = last !== undefined && source.slice(last.end, start).trim() === '';
    if (goesOn) spans.splice(-1, 1, { start: last.start, end });
    else spans.push({ start, end });
  }
  return spans;
}

function proseOfSource(file: string, source: string): Prose[] {
  const { program, comments } = parseSync(file, source);
  const found = joined(comments, source).map(({ start, end }) => ({ text: source.slice(start, end), at: start }));
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!title || !TEXTS.has(title.type) || !TESTS.has(rootName(callee) ?? '')) return;
      found.push({ text: source.slice(title.start, title.end), at: title.start });
    },
  }).visit(program);
  return found;
}

/** Returns the prose of a file. Nothing for a file of another kind. */
export function readProse(file: string, text: string): Prose[] {
  if (!isRead(file)) return [];
  if (isWhole(file)) return [{ text, at: 0 }];
  if (file.endsWith('.css'))
    return [...text.matchAll(/\/\*.*?\*\//gs)].map(({ 0: comment, index: at }) => ({ text: comment, at }));
  return proseOfSource(file, text);
}
