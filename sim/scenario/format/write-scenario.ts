import { stringify } from 'yaml';
import type { Scenario, Step } from './tree.ts';

/**
 * Returns a scenario as YAML: its head, and one line for each step. Defaults are left out, and the steps of fragments
 * are inlined. Reading the text gives the same scenario.
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
  ((key === 'seed' || key === 'nodes') && value === 1) ||
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const withoutPlace = ({ verb: _verb, place: _place, ...step }: Step): Record<string, unknown> => step;

/** Returns a step or a case as a line. */
export const item = (value: unknown): string => `  - ${flow(value)}`;

/** Returns a value on one line of any length, so that a step is read as a whole. */
export const flow = (value: unknown): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
