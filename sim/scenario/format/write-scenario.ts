import { stringify } from 'yaml';
import type { Scenario, Step } from './tree.ts';

/**
 * A scenario as YAML: its head, and a step a line. What is so by default is left out, and the steps of fragments stand
 * where they are used. Read again, it is the same scenario.
 */
export function scenarioYaml({ file: _, steps, ...head }: Scenario): string {
  const { cases, actors, ...plain } = head;
  const written = Object.fromEntries(Object.entries(plain).filter(([key, value]) => !isDefault(key, value)));
  const lines = [
    stringify(written, { lineWidth: 0 }).trimEnd(),
    ...(cases ? ['cases:', ...cases.map(item)] : []),
    'actors:',
    ...Object.entries(actors).map(
      ([name, { online, ...actor }]) => `  ${name}: ${flow(online ? actor : { ...actor, online })}`,
    ),
    steps.length > 0 ? 'steps:' : 'steps: []',
    ...steps.map((step) => item(withoutPlace(step))),
  ];
  return `${lines.join('\n')}\n`;
}

const isDefault = (key: string, value: unknown): boolean =>
  (key === 'seed' && value === 1) ||
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const withoutPlace = ({ verb: _verb, place: _place, ...step }: Step): Record<string, unknown> => step;

/** A step, or a case, on a line of its own. */
export const item = (value: unknown): string => `  - ${flow(value)}`;

/** On one line, however long: a step is read as a whole. */
export const flow = (value: unknown): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
