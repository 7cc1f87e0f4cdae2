/** The cases of a scenario, and their differences in one kind of world. */
import { TIMES } from '../../../src/protocol/limits.ts';
import { spanOf } from '../../format/duration.ts';
import type { Scenario, WorldName } from '../format/tree.ts';
import { inCase } from '../format/case-acts.ts';
import { DEFAULT_LENGTHS } from '../trace/machines.ts';
import type { TimerLengths } from '../../../src/trace/events.ts';
import { fillIn, show } from '../format/values.ts';
import type { ScenarioTimers } from './world.ts';

const DEFAULT_TIMERS = { ring: `${TIMES.ringingTimeoutMs}ms`, connection: `${TIMES.connectionTimeoutMs}ms` };

/** One run of a scenario: its values and their name. */
export interface ScenarioCase {
  readonly name?: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Returns the cases of a scenario. A scenario without cases has one, without values. */
export function casesOf(scenario: Pick<Scenario, 'cases'>): readonly ScenarioCase[] {
  if (!scenario.cases) return [{ values: {} }];
  const names = scenario.cases.map(nameOf);
  return scenario.cases.map((values, at) => ({ name: distinct(names, at), values }));
}

/** Returns the name at an index, with its number among the equal ones before it: `who bob #2`. */
function distinct(names: readonly string[], at: number): string {
  const name = names[at] ?? '';
  const before = names.slice(0, at).filter((other) => other === name).length;
  return before === 0 ? name : `${name} #${before + 1}`;
}

/** Returns the `name` among the values of a case, or else its values in words. */
function nameOf(values: Readonly<Record<string, unknown>>): string {
  const { name } = values;
  if (typeof name === 'string' && name !== '') return name;
  const words = Object.entries(values).flatMap(([key, value]) => (key === 'spec' ? [] : [`${key} ${show(value)}`]));
  return words.join(', ') || 'case';
}

/** Returns the scenario with the steps of one case: their actors and actions are filled in. */
export const scenarioInCase = (scenario: Scenario, { values }: ScenarioCase): Scenario => ({
  ...scenario,
  steps: scenario.steps.map((step) => inCase(step, values)),
});

/** Returns the requirements that a case's trace shows: the scenario's, and its own. */
export const claimsOf = ({ spec }: Pick<Scenario, 'spec'>, { values }: ScenarioCase): readonly string[] => [
  ...spec,
  ...((values['spec'] as readonly string[] | undefined) ?? []),
];

/**
 * Returns the timers of a case in a world: those of the world, else the scenario's, else the library's.
 * @throws Error when a value of the case is no length of a timer.
 */
export function timersIn(world: WorldName, scenario: Scenario, { values }: ScenarioCase): ScenarioTimers {
  const there = scenario.worlds[world];
  const own = typeof there === 'object' ? there.timers : undefined;
  const filled = fillIn({ ...scenario.timers, ...own }, { case: values }) as ScenarioTimers;
  for (const [name, value] of Object.entries(filled))
    if (!spanOf(value)) throw new Error(`timers.${name} must be a span of time longer than 0; it is ${show(value)}`);
  return { ...DEFAULT_TIMERS, ...filled };
}

/** Returns why a scenario does not run in a world. Undefined if it does. */
export function notRunIn(world: WorldName, { worlds }: Scenario): string | undefined {
  const there = worlds[world];
  return typeof there === 'string' ? there : undefined;
}

/** Returns the lengths of the call timers of a case. */
export const lengthsOf = ({ ring, connection }: ScenarioTimers): TimerLengths => ({
  ...DEFAULT_LENGTHS,
  ring: spanOf(ring) ?? DEFAULT_LENGTHS.ring,
  connection: spanOf(connection) ?? DEFAULT_LENGTHS.connection,
});
