/** Finds why a case cannot run on the wall clock, before any process is started for it. */
import { spanText } from '../../sim/format/duration.ts';
import { notRunIn, type ScenarioCase, scenarioInCase } from '../../sim/scenario/run/cases.ts';
import { runCase } from '../../sim/scenario/run/run-scenario.ts';
import { holds } from '../../sim/scenario/format/values.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import type { Scenario, Step, WorldName } from '../../sim/scenario/format/tree.ts';
import { canInject } from '../../sim/faults/inject-fault.ts';
import { REAL_FAULTS } from './real/real-faults.ts';

/** The actions that need a browser. */
const NOT_HERE: Readonly<Record<string, string>> = {
  startRecording: 'there is no media recorder outside a browser',
};

const ENGINE_TIMED: ReadonlySet<string> = new Set(['media', 'quality', 'offline']);

/** @returns the reason. Undefined when the case can run. */
export async function cannotRun(
  world: WorldName,
  scenario: Scenario,
  one: ScenarioCase,
  { longestMs, seed }: { readonly longestMs: number; readonly seed: number | undefined },
): Promise<string | undefined> {
  const reason =
    notRunIn(world, scenario) ?? lacking(world, scenarioInCase(scenario, one), one) ?? tooFast(world, scenario);
  if (reason !== undefined) return reason;
  // The virtual world finds the duration of a case without taking real time.
  const { simulatedMs } = await runCase(scenario, one, { name: world, seed, world: virtualWorld, stopwatch: () => 0 });
  if (simulatedMs <= longestMs) return undefined;
  return `it takes ${spanText(simulatedMs)}, and --longest allows ${spanText(longestMs)}`;
}

/**
 * Refuses stories that depend on the times of the engine: in the scaled world only the timers of the library run
 * faster.
 */
function tooFast(world: WorldName, { worlds, steps }: Scenario): string | undefined {
  if (world !== 'scaled' || worlds.scaled !== undefined) return undefined;
  const breaksMedia = steps.some(
    ({ verb, ...step }) => verb === 'fault' && 'fault' in step && ENGINE_TIMED.has(step.fault.kind),
  );
  return breaksMedia ? 'it depends on times of the media engine, which do not run faster' : undefined;
}

const actionOf = (step: Step): string => (step.verb === 'do' ? (step.do.split('.').at(-1) ?? '') : '');

function lacking(world: WorldName, scenario: Scenario, { values }: ScenarioCase): string | undefined {
  const { nodes = 1 } = scenario;
  if (nodes > 1) return `it has ${nodes} nodes, and only the virtual world has more than one`;
  for (const step of scenario.steps) {
    if (step.when !== undefined && !holds(step.when, { case: values })) continue;
    if (step.verb === 'fault' && !canInject(REAL_FAULTS, step.fault.kind))
      return `a fault of kind ${step.fault.kind} is not supported ${world === 'browser' ? 'in a browser' : 'on real sockets and media'}`;
    const action = actionOf(step);
    if (world !== 'browser' && action in NOT_HERE) return NOT_HERE[action];
  }
  return undefined;
}
