/** The interface of a reporter of a run of scenarios. Each file has one implementation. */
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';

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
  readonly results: readonly CaseResult[];
  /** The requirements that the traces prove. */
  readonly proves: readonly string[];
  /** True when every selected scenario was run. */
  readonly complete: boolean;
}

export interface SuiteReporter {
  began?(total: number, world: string): void;
  result?(
    result: CaseResult,
    at: { readonly done: number; readonly total: number; readonly trace?: string | undefined },
  ): void;
  ended(summary: SuiteSummary): void;
}

/** Formats `3 passed, 1 failed, 2 skipped`, with the numbers of flaky and inconclusive cases if there are any. */
export const countsOf = ({ passed, failed, inconclusive, skipped, flaky }: SuiteSummary): string =>
  `${passed} passed${flaky === 0 ? '' : ` (${flaky} flaky)`}, ${failed} failed${inconclusive === 0 ? '' : `, ${inconclusive} inconclusive`}, ${skipped} skipped`;

/** Formats `direct/ring-timeout [ring 5s]` */
export const nameOf = ({ scenario, case: one }: CaseResult): string =>
  one === undefined ? scenario : `${scenario} [${one}]`;

/** Quotes a text so that a shell reads it as one word. */
export const shellWord = (word: string): string =>
  /^[\w./=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
