import type { Scenario, Step } from '../format/tree.ts';
import { scenarioYaml } from '../format/write-scenario.ts';
import type { Violation } from './invariants.ts';

/** The wait in which the invariant was broken. */
const AFTERWARDS: Step = { verb: 'wait', wait: '200s', place: { file: 'found', line: 1, column: 1 } };

/** Returns a found scenario as the text of a scenario file. */
export function scenarioText(found: Scenario, { id, message }: Violation): string {
  return scenarioYaml({ ...found, about: `${id} is broken: ${message}`, steps: [...found.steps, AFTERWARDS] });
}
