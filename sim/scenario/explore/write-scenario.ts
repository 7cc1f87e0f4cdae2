import { stringify } from 'yaml';
import type { Scenario, Step } from '../format/tree.ts';
import type { Violation } from './invariants.ts';

/** A found story as a scenario file: its steps, and the time in which it came out wrong. */
export function scenarioText({ scenario, seed, actors, steps }: Scenario, { id, message }: Violation): string {
  const head = stringify({ scenario, about: `${id} is broken: ${message}`, tags: ['found'], seed, actors });
  const lines = steps.map(
    (step) => `  - ${stringify(written(step), { collectionStyle: 'flow', lineWidth: 0 }).trim()}`,
  );
  return `${head}steps:\n${lines.join('\n')}\n  - { wait: 200s }\n`;
}

/** A step as it is written: without the place it stands at. */
function written({ verb: _verb, place: _place, ...step }: Step): Record<string, unknown> {
  return step;
}
