/** The descriptions of the words of scenario files, as text. */
import type { ExplainedPart, Explanation } from '../../sim/scenario/format/explain.ts';

/** Returns a line for each word: its topic, its name and its description. */
export function wordsText(words: readonly Explanation[]): string {
  const width = widest(words.map(({ topic, name }) => `${topic} ${name}`));
  return words.map(({ topic, name, description }) => `${`${topic} ${name}`.padEnd(width)}  ${description}\n`).join('');
}

/** Returns the whole description of a word. */
export function explanationText({ topic, name, description, type, meanings, parts, example }: Explanation): string {
  const head = topic === name ? name : `${topic} ${name}`;
  const blocks = [`${head}\n  ${description}\n`];
  if (meanings) blocks.push(`values\n${meaningLines(meanings, '  ')}`);
  else if (type !== undefined) blocks.push(`value\n  ${type}\n`);
  if (parts.length > 0) blocks.push(`${topic === 'action' ? 'parameters' : 'keys'}\n${parts.map(partLines).join('')}`);
  if (example !== undefined)
    blocks.push(`example\n  ${topic === 'fragment' || topic === 'head' ? '' : '- '}${example}\n`);
  return blocks.join('\n');
}

function partLines({ name, type, isRequired, description, default: fallback, meanings }: ExplainedPart): string {
  const words = meanings ? 'one of these' : type;
  const ending = fallback === undefined ? '' : ` Default: ${JSON.stringify(fallback).replaceAll('"', '')}.`;
  const head = `  ${name}  (${words}${isRequired ? ', required' : ''})\n    ${description}${ending}\n`;
  return `${head}${meanings ? meaningLines(meanings, '      ') : ''}`;
}

function meaningLines(meanings: Readonly<Record<string, string>>, indent: string): string {
  const width = widest(Object.keys(meanings));
  return Object.entries(meanings)
    .map(([value, meaning]) => `${indent}${value.padEnd(width)}  ${meaning}\n`)
    .join('');
}

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
