import { stringify } from 'yaml';
import type { Scenario, Step } from './tree.ts';

/**
 * A scenario as YAML: its head, and a step a line. What is so by default is left out, and the steps of fragments stand
 * where they are used. Read again, it is the same scenario.
 */
export function scenarioYaml({ file: _, steps, ...head }: Scenario): string {
  const { scenario, about, spec, tags, seed, timers, cases, actors } = head;
  const written = {
    scenario,
    ...(about === undefined ? {} : { about }),
    ...(spec.length > 0 ? { spec } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(seed === 1 ? {} : { seed }),
    ...(Object.keys(timers).length > 0 ? { timers } : {}),
  };
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

const withoutPlace = ({ verb: _verb, place: _place, ...step }: Step): Record<string, unknown> => step;

const item = (value: unknown): string => `  - ${flow(value)}`;

/** On one line, however long: a step is read as a whole. */
const flow = (value: unknown): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
