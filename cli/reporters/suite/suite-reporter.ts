/** The interface of a reporter of a run of scenarios. Each file has one implementation. */
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';

/** The result of a case among those of a run. */
export interface SuiteResult extends CaseResult {
  /** True when the run has this case with several seeds, so that its name needs the seed. */
  readonly isRepeated?: boolean;
}

/** The totals of a run. */
export interface SuiteSummary {
  readonly world: string;
  readonly passed: number;
  readonly failed: number;
  /** Cases that failed after the runner was late, and so have no verdict. */
  readonly inconclusive: number;
  readonly skipped: number;
  /** Cases that passed after a retry. */
  readonly flaky: number;
  /** Milliseconds of wall time, and of the time of the worlds. */
  readonly wallMs: number;
  readonly simulatedMs: number;
  readonly results: readonly SuiteResult[];
  /** The requirements that the traces prove. */
  readonly proves: readonly string[];
  /** True when every selected scenario was run. */
  readonly complete: boolean;
  /** The part of the scenarios that was selected with `--shard`. Absent for all of them. */
  readonly shard?: Part;
  /** The selected cases that were not run, and why the run ended before them. Absent after a complete run. */
  readonly left?: { readonly cases: number; readonly why: 'interrupted' | 'stopped after a failure' };
}

/** One part of several of a run. */
interface Part {
  readonly part: number;
  readonly of: number;
}

export interface SuiteReporter {
  began?(total: number, world: string): void;
  result?(
    result: SuiteResult,
    at: { readonly done: number; readonly total: number; readonly trace?: string | undefined },
  ): void;
  ended(summary: SuiteSummary): void;
}

/**
 * Formats `3 passed, 1 failed`, with the numbers of flaky, inconclusive and skipped cases if there are any, and of the
 * cases that the run left out. A case that the options excluded is not skipped.
 */
export function countsOf({ passed, failed, inconclusive, flaky, results, left }: SuiteSummary): string {
  const skipped = results.filter(({ state }) => state === 'skipped').length;
  const more = Object.entries({ inconclusive, skipped }).filter(([, count]) => count > 0);
  return [
    `${passed} passed${flaky === 0 ? '' : ` (${flaky} flaky)`}`,
    `${failed} failed`,
    ...more.map(([state, count]) => `${count} ${state}`),
    ...(left ? [`${left.cases} not run (${left.why})`] : []),
  ].join(', ');
}

/** What names a case: its scenario, and its name there. */
interface Titled {
  readonly scenario: string;
  readonly case?: string | undefined;
}

/** Formats the title of a case: `direct/ring-timeout [ring 5s]` */
export const titleOf = ({ scenario, case: one }: Titled): string =>
  one === undefined ? scenario : `${scenario} [${one}]`;

/** Returns the name of a row, which no other row has: the title, with the seed when the run has several. */
export const nameOf = (result: Titled & Pick<SuiteResult, 'seed' | 'isRepeated'>): string =>
  result.isRepeated ? `${titleOf(result)} seed ${result.seed}` : titleOf(result);

/** Returns the command that runs one case again with its seed. */
export function commandOf({ file, case: one, seed }: SuiteResult, world: string): string {
  const named = one === undefined ? '' : ` --case ${shellWord(one)}`;
  const where = world === 'virtual' ? '' : ` --world ${world}`;
  return `ringback run ${shellWord(file)}${named} --seed ${seed}${where}`;
}

/** Quotes a text so that a shell reads it as one word. */
export const shellWord = (word: string): string =>
  /^[\w./=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
