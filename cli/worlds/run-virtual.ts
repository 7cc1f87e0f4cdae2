import type { Clock } from '../../src/common/clock.ts';
import { type CaseResult, runCase } from '../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import type { CaseJob } from './world.ts';

/** Runs a case in virtual time: one event heap for library and exchange. The clock measures it. */
export const runVirtual = (
  { scenario, one, seed }: Pick<CaseJob, 'scenario' | 'one' | 'seed'>,
  clock: Pick<Clock, 'now'>,
): Promise<CaseResult> =>
  runCase(scenario, one, { seed, name: 'virtual', world: virtualWorld, stopwatch: () => clock.now() });
