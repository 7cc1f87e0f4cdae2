/** The IPC messages between the scenario host and its parent. */
import * as v from 'valibot';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import type { ScenarioCase } from '../../sim/scenario/run/cases.ts';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';

/** The case to run. */
export interface CaseAssignment {
  readonly world: 'virtual' | 'real' | 'scaled';
  readonly scenario: Scenario;
  readonly one: ScenarioCase;
  readonly seed: number | undefined;
  readonly timeScale: number;
  /** How long the story goes on after its last step, milliseconds. */
  readonly afterMs: number;
}

/** Both ends have the same version, so only the kind of a message is checked. */
export const hostEvent = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({
    type: v.literal('result'),
    result: v.custom<CaseResult>((value) => typeof value === 'object' && value !== null && 'state' in value),
  }),
]);
export type HostEvent = v.InferOutput<typeof hostEvent>;
