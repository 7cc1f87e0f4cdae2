/** Selects the cases at lines of scenario files: `mine.yaml:12`. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { readNamedText } from './read-text.ts';

/** The lines that the command line names, by the absolute path of their file. */
export type ChosenLines = ReadonlyMap<string, readonly number[]>;

/** A line, or a line and a column, as messages about a file print them. */
const WITH_LINE = /^(.+?):(\d+)(?::\d+)?$/;

/**
 * Splits `mine.yaml:12` into the file and its line. A file that is also named without a line is selected whole.
 *
 * @throws CommandError (usage) when a file has no such line.
 */
export function splitLines(words: readonly string[]): {
  readonly files: readonly string[];
  readonly lines: ChosenLines;
} {
  const lines = new Map<string, number[]>();
  const files = words.map((word) => {
    const [, file, line] = WITH_LINE.exec(word) ?? [];
    if (file === undefined || isThere(word) || !isThere(file)) return word;
    const path = resolve(file);
    const last = readNamedText(path).trimEnd().split('\n').length;
    if (Number(line) < 1 || Number(line) > last)
      throw new CommandError(`${file} has no line ${line}: its last line is ${last}.`, EXIT.usage);
    lines.set(path, [...(lines.get(path) ?? []), Number(line)]);
    return file;
  });
  for (const word of words) lines.delete(resolve(word));
  return { files, lines };
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * Returns whether a case is selected: it is at a selected line, or one of the lines is outside all cases and so selects
 * the scenario.
 */
export function isAtLines({ file }: Scenario, at: number, chosen: ChosenLines): boolean {
  const lines = chosen.get(resolve(file));
  if (!lines) return true;
  const cases = linesOfCases(file);
  const isIn = (line: number, one: CaseLines | undefined) => one !== undefined && one.first <= line && line <= one.last;
  return lines.some((line) => isIn(line, cases[at]) || !cases.some((one) => isIn(line, one)));
}

interface CaseLines {
  readonly first: number;
  readonly last: number;
}

/** Returns the lines of each case of a YAML file. Cases in TypeScript are computed, so they have no lines. */
function linesOfCases(file: string): readonly CaseLines[] {
  if (!/\.ya?ml$/.test(file)) return [];
  const counter = new LineCounter();
  const cases = parseDocument(readNamedText(file), { lineCounter: counter }).get('cases', true);
  if (!isSeq(cases)) return [];
  return cases.items.map((item) => {
    const [from, to] = (isNode(item) && item.range) || [0, 0];
    return { first: counter.linePos(from).line, last: counter.linePos(Math.max(from, to - 1)).line };
  });
}
