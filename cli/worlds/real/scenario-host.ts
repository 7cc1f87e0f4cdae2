/**
 * The scenario host: the process that runs cases in a real world, one after another. host-process.ts forks it, sends
 * each case over IPC, and kills it when it is not needed. A process that has created media with the native engine may
 * crash as it ends.
 */
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { runCase } from '../../../sim/scenario/run/run-scenario.ts';
import type { CaseAssignment, HostEvent } from './host-messages.ts';
import { restartsExchange } from './real-exchange.ts';
import { realWorld } from './real-world.ts';

const emit = (event: HostEvent) => {
  // Without its parent this process has no purpose, so it exits too.
  if (process.connected) process.send?.(event);
};

process.on('message', (assignment: CaseAssignment) => {
  const { world, scenario, one, seed, timeScale, afterMs } = assignment;
  void runCase(scenario, one, {
    name: world,
    seed,
    afterMs,
    world: (_scenario, ownSeed, timers) =>
      realWorld(scenario, {
        seed: ownSeed,
        timers,
        timeScale,
        restarts: restartsExchange(scenario),
        clock: nodeClock,
      }),
    stopwatch: nodeClock.now,
  }).then((result) => emit({ type: 'result', result }));
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C reaches the whole process group. The parent handles it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

emit({ type: 'ready' });
