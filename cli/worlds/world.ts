import type { Scenario } from '../../sim/scenario/format/tree.ts';
import type { ScenarioCase } from '../../sim/scenario/run/cases.ts';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';

/** One case to run. */
export interface CaseJob {
  readonly scenario: Scenario;
  readonly one: ScenarioCase;
  /** In place of the scenario's own. */
  readonly seed?: number | undefined;
  /** How long the story goes on after its last step, milliseconds. Default 0. */
  readonly afterMs?: number;
  /** Ends the run at once: what it holds is closed, its result is nobody's. */
  readonly signal: AbortSignal;
}

/** A world that is open: cases run in it, several at a time where they are asked for so. */
export interface OpenWorld {
  /** Never rejects: what goes wrong is the result. */
  run(job: CaseJob): Promise<CaseResult>;
  close(): Promise<void>;
}

export interface WorldSettings {
  /** How many times faster the library's timers run in the scaled world. */
  readonly timeScale: number;
  /** The most a case may take, milliseconds on the scenario's clock, to be run on the wall clock. */
  readonly longestMs: number;
}

/** Where cases can be run, as `--world` names it. */
export interface World {
  readonly name: string;
  /** Nothing in it takes real time: one seed, one trace. A case that fails fails again. */
  readonly isExact: boolean;
  open(settings: WorldSettings): Promise<OpenWorld>;
}
