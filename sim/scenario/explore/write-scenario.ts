import type { Scenario, Step } from '../format/tree.ts';
import { scenarioYaml } from '../format/write-scenario.ts';
import type { Violation } from './invariants.ts';

/** The time in which it came out wrong. */
const AFTERWARDS: Step = { verb: 'wait', wait: '200s', place: { file: 'found', line: 1, column: 1 } };

/** A found story as a scenario file. */
export function scenarioText(found: Scenario, { id, message }: Violation): string {
  return scenarioYaml({ ...found, about: `${id} is broken: ${message}`, steps: [...found.steps, AFTERWARDS] });
}
