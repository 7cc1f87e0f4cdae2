/** How a run of scenarios is shown while it goes on, and when it is over. One implementation a file. */
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';

/** What a run came to. */
export interface SuiteSummary {
  readonly world: string;
  readonly passed: number;
  readonly failed: number;
  /** Failed after the runner had been late: no verdict. */
  readonly inconclusive: number;
  readonly skipped: number;
  /** Passed, but not at the first try. */
  readonly flaky: number;
  /** Milliseconds on the wall, and in the worlds. */
  readonly wallMs: number;
  readonly simulatedMs: number;
  readonly results: readonly CaseResult[];
  /** The requirements that traces show. */
  readonly proves: readonly string[];
  /** Whether every scenario that was asked for was run. */
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

/** `3 passed, 1 failed, 2 skipped`, and how many were flaky or inconclusive where some were. */
export const countsOf = ({ passed, failed, inconclusive, skipped, flaky }: SuiteSummary): string =>
  `${passed} passed${flaky === 0 ? '' : ` (${flaky} flaky)`}, ${failed} failed${inconclusive === 0 ? '' : `, ${inconclusive} inconclusive`}, ${skipped} skipped`;

/** `direct/ring-timeout [ring 5s]` */
export const nameOf = ({ scenario, case: one }: CaseResult): string =>
  one === undefined ? scenario : `${scenario} [${one}]`;
