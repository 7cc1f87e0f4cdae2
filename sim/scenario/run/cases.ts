/** The cases of a scenario, and what is different for them in one world. */
import { TIMES } from '../../../src/protocol/limits.ts';
import { spanOf } from '../format/duration.ts';
import type { Scenario, WorldName } from '../format/tree.ts';
import { DEFAULT_LENGTHS } from '../trace/timer-runs.ts';
import type { TimerLengths } from '../trace/trace.ts';
import { fillIn, show } from './values.ts';
import type { ScenarioTimers } from './world.ts';

const DEFAULT_TIMERS = { ring: `${TIMES.ringingTimeoutMs}ms`, connection: `${TIMES.connectionTimeoutMs}ms` };

/** One run of a scenario: its values, and what they are called. */
export interface ScenarioCase {
  readonly name?: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The cases of a scenario: one without values where it has none. */
export function casesOf(scenario: Pick<Scenario, 'cases'>): readonly ScenarioCase[] {
  if (!scenario.cases) return [{ values: {} }];
  return scenario.cases.map((values) => ({
    name: Object.entries(values)
      .filter(([key]) => key !== 'spec')
      .map(([key, value]) => `${key} ${show(value)}`)
      .join(', '),
    values,
  }));
}

/** The requirements that a case's trace shows: the scenario's, and its own. */
export const claimsOf = ({ spec }: Pick<Scenario, 'spec'>, { values }: ScenarioCase): readonly string[] => [
  ...spec,
  ...((values['spec'] as readonly string[] | undefined) ?? []),
];

/**
 * The timers a case has in a world: its own there, else the scenario's, else the library's.
 *
 * @throws Error where a value of the case is no length of a timer.
 */
export function timersIn(world: WorldName, scenario: Scenario, { values }: ScenarioCase): ScenarioTimers {
  const there = scenario.worlds[world];
  const own = typeof there === 'object' ? there.timers : undefined;
  const filled = fillIn({ ...scenario.timers, ...own }, { case: values }) as ScenarioTimers;
  for (const [name, value] of Object.entries(filled))
    if (!spanOf(value)) throw new Error(`timers.${name} must be a span of time longer than none; it is ${show(value)}`);
  return { ...DEFAULT_TIMERS, ...filled };
}

/** Why a scenario is not run in a world; undefined where it is. */
export function notRunIn(world: WorldName, { worlds }: Scenario): string | undefined {
  const there = worlds[world];
  return typeof there === 'string' ? there : undefined;
}

/** How long the timers of the calls of a case are. */
export const lengthsOf = ({ ring, connection }: ScenarioTimers): TimerLengths => ({
  ...DEFAULT_LENGTHS,
  ring: spanOf(ring) ?? DEFAULT_LENGTHS.ring,
  connection: spanOf(connection) ?? DEFAULT_LENGTHS.connection,
});
