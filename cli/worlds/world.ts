import type { Clock } from '../../src/common/clock.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import type { ScenarioCase } from '../../sim/scenario/run/cases.ts';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';

/** One case to run. */
export interface CaseJob {
  readonly scenario: Scenario;
  readonly one: ScenarioCase;
  /** The seed that replaces the seed of the scenario. */
  readonly seed?: number | undefined;
  /** How long the story goes on after its last step, milliseconds. Default: 0. */
  readonly afterMs?: number;
  /** Aborts the run at once: its resources are closed, and its result is ignored. */
  readonly signal: AbortSignal;
}

/** An open world, which runs cases, several at the same time if asked. */
export interface OpenedWorld {
  /** Never rejects: errors are in the result. */
  run(job: CaseJob): Promise<CaseResult>;
  /** How many cases it takes besides those that run, so that it begins each at once. Default: 0. */
  readonly ahead?: number;
  close(): Promise<void>;
}

export interface WorldSettings {
  /** The number of cases that run at the same time. */
  readonly jobs: number;
  /** How many times faster the timers of the library run in the scaled world. */
  readonly timeScale: number;
  /** The maximum duration of a case on the wall clock, milliseconds on the clock of the scenario. */
  readonly longestMs: number;
  /** The clock that measures cases, and on which those of the worlds in real time run. */
  readonly clock: Clock;
}

/** The worlds of `--world`. */
export interface WorldFactory {
  readonly name: string;
  /** True when nothing takes real time: one seed gives one trace, and a failed case fails again. */
  readonly isExact: boolean;
  open(settings: WorldSettings): Promise<OpenedWorld>;
}
