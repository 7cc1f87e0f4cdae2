/**
 * The scenario host: the process that runs cases in a real world, one after another. host-process.ts forks it, sends
 * each case over IPC, and kills it when it is not needed. A process that has created media with the native engine may
 * crash as it ends.
 */
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { runCase } from '../../../sim/scenario/run/run-scenario.ts';
import { serveCases } from '../serve-cases.ts';
import { placeOf } from './real-exchange.ts';
import { realWorld } from './real-world.ts';

serveCases(({ world, scenario, one, seed, timeScale, afterMs }) =>
  runCase(scenario, one, {
    name: world,
    seed,
    afterMs,
    world: (_scenario, ownSeed, timers) =>
      realWorld(scenario, {
        seed: ownSeed,
        timers,
        timeScale,
        exchange: placeOf(scenario),
        clock: nodeClock,
      }),
    stopwatch: nodeClock.now,
  }),
);
