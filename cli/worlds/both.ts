/** Runs each case in the virtual and the real world. Both must have the same effects. */
import { hasRooms } from '../../sim/scenario/format/needs.ts';
import { scenarioInCase } from '../../sim/scenario/run/cases.ts';
import { type CaseResult, runCase, skippedCase, verdictOf } from '../../sim/scenario/run/run-scenario.ts';
import { causalDifferences, causalTrace, differenceText } from '../../src/trace/causal.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import { openReal } from './real/real.ts';
import type { OpenedWorld, WorldSettings } from './world.ts';

/** The time for the effects of the last step in either world. */
const AFTER_MS = 1_000;

const NO_ORDER = 'it has a room, whose endpoints negotiate at the same time: their order is not compared';

export function openBoth(settings: WorldSettings): OpenedWorld {
  const wall = openReal(settings);
  return {
    async run(job) {
      if (hasRooms(scenarioInCase(job.scenario, job.one)))
        return skippedCase(job.scenario, job.one, { seed: job.seed, why: NO_ORDER });
      const found = await wall.run({ ...job, afterMs: AFTER_MS });
      if (found.state === 'skipped') return found;
      const { scenario, one, seed } = job;
      // The same story, with the timers of the real world.
      const modelled = await runCase(scenario, one, {
        seed,
        name: 'real',
        world: virtualWorld,
        afterMs: AFTER_MS,
        stopwatch: () => settings.clock.now(),
      });
      return compared(found, modelled);
    },
    close: () => wall.close(),
  };
}

/** Returns the result of the real world. It fails also when the virtual world failed, or when the two differ. */
function compared(found: CaseResult, modelled: CaseResult): CaseResult {
  const failed = (message: string): CaseResult => ({ ...found, ...verdictOf({ message }, found.late), proves: [] });
  if (found.failure) return found;
  if (modelled.failure) return failed(`it fails only in the virtual world: ${modelled.failure.message}`);
  const differences = causalDifferences(causalTrace(modelled.trace), causalTrace(found.trace));
  if (differences.length === 0) return found;
  return failed(differences.map((one) => differenceText(one, ['virtual', 'real   '])).join('\n'));
}
