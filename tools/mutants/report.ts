/** The results of the mutants of a group: a table of its files, then the mutants that no test detected. */
import { relative } from 'node:path';
import { tableLines } from '../../specs/bench/print-table.ts';
import type { MutantGroup } from './groups.ts';

export interface Mutant {
  readonly fileName: string;
  readonly status: string;
  /** The reason in a comment why it is not tried. Undefined without one. */
  readonly statusReason?: string | undefined;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

const isFound = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout';
const isMissed = ({ status }: Mutant) => status === 'Survived' || status === 'NoCoverage';

/** Returns the per cent of the tried mutants that a test detected. 0 when none was tried. */
export function scoreOf(mutants: readonly Mutant[]): number {
  const found = mutants.filter(isFound).length;
  const tried = found + mutants.filter(isMissed).length;
  return tried === 0 ? 0 : (100 * found) / tried;
}

const HEAD = ['file', 'found', 'missed', 'excused', 'broken', 'score'];

function row(name: string, mutants: readonly Mutant[]): string[] {
  const count = (is: (mutant: Mutant) => boolean) => String(mutants.filter(is).length);
  return [
    name,
    count(isFound),
    count(isMissed),
    count(({ status }) => status === 'Ignored'),
    count(({ status }) => status.endsWith('Error')),
    `${(Math.floor(scoreOf(mutants) * 10) / 10).toFixed(1)} %`,
  ];
}

const place = ({ fileName, location: { start } }: Mutant) =>
  `${relative(process.cwd(), fileName)}:${start.line}:${start.column}`;

const told = (mutant: Mutant) =>
  `${place(mutant)} ${mutant.mutatorName} ${mutant.replacement.replaceAll(/\s+/g, ' ').slice(0, 80)}`;

const listed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

export function reportLines({ name, floor }: MutantGroup, mutants: readonly Mutant[]): string[] {
  const files = [...new Set(mutants.map(({ fileName }) => fileName))];
  const rows = files.map((file) =>
    row(
      relative(process.cwd(), file),
      mutants.filter(({ fileName }) => fileName === file),
    ),
  );
  return [
    `== ${name}: at least ${floor} %`,
    ...tableLines(HEAD, [...rows, row('all', mutants)]),
    ...listed('Missed:', mutants.filter(isMissed).map(told)),
    ...listed('Broken:', mutants.filter(({ status }) => status.endsWith('Error')).map(told)),
    ...listed(
      'Excused:',
      mutants
        .filter(({ status }) => status === 'Ignored')
        .map((mutant) => `${told(mutant)}: ${mutant.statusReason ?? ''}`),
    ),
  ];
}
