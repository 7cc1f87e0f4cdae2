/** What the scenario host and its parent say to each other over IPC. */
import * as v from 'valibot';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import type { ScenarioCase } from '../../../sim/scenario/run/cases.ts';
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';

/** The case that a host runs. */
export interface CaseAssignment {
  readonly world: 'real' | 'scaled';
  readonly scenario: Scenario;
  readonly one: ScenarioCase;
  readonly seed: number | undefined;
  readonly timeScale: number;
  /** How long the story goes on after its last step, milliseconds. */
  readonly afterMs: number;
}

/** Both ends are of one version and one repository: what is checked is that a message is one of these at all. */
export const hostEvent = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({
    type: v.literal('result'),
    result: v.custom<CaseResult>((value) => typeof value === 'object' && value !== null && 'state' in value),
  }),
]);
export type HostEvent = v.InferOutput<typeof hostEvent>;
