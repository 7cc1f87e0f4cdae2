/**
 * The scenario host: the process that runs cases in a real world, one after another. It is forked by host-process.ts,
 * told which case over IPC, and killed once it is not needed: a process that has made media with the native engine may
 * crash as it ends.
 */
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { runCase } from '../../../sim/scenario/run/run-scenario.ts';
import type { CaseAssignment, HostEvent } from './host-messages.ts';
import { realWorld } from './real-world.ts';

const emit = (event: HostEvent) => {
  // A parent that is gone hears nothing, and this process goes with it.
  if (process.connected) process.send?.(event);
};

/** Whether the exchange must be a process of its own. A way that the case fills in may be any. */
const restartsExchange = ({ steps }: Scenario): boolean =>
  steps.some(
    ({ verb, ...step }) =>
      verb === 'fault' &&
      'fault' in step &&
      step.fault.kind === 'server' &&
      /^(restart|crash|wipe|\$.*)$/.test(step.fault.how),
  );

process.on('message', (assignment: CaseAssignment) => {
  const { world, scenario, one, seed, timeScale, afterMs } = assignment;
  void runCase(scenario, one, {
    name: world,
    seed,
    afterMs,
    world: (_scenario, ownSeed, timers) =>
      realWorld(scenario, { seed: ownSeed, timers, timeScale, restarts: restartsExchange(scenario) }),
    stopwatch: () => performance.now(),
  }).then((result) => emit({ type: 'result', result }));
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C reaches the whole group; the parent decides what it means.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

emit({ type: 'ready' });
