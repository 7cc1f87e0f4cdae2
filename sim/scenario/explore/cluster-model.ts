/** Stories of one call between two users of an exchange with several nodes. */
import type { ScenarioWorld } from '../run/world.ts';
import { type Aftermath, type Violation, violationsOf } from '../invariants/aftermath.ts';
import { CALL_INVARIANTS } from './call-invariants.ts';
import { CALL_MODEL, settleCall } from './call-model.ts';
import { CLUSTER_INVARIANTS, mustGoOn } from './cluster-invariants.ts';
import { drawCall } from './draw-call.ts';
import type { Model } from './model.ts';

/** Returns the stories of an exchange with this number of nodes. */
export const clusterModel = (nodes: number): Model => ({
  ...CALL_MODEL,
  draw: (seed) => drawCall(seed, nodes),
  serverValues: ['server.calls', 'server.owners', 'server.results'],
  settle: (world, devices) =>
    settleCall(world, devices, () => [
      ...wrongOwners(world),
      ...(mustGoOn(world.trace) && devices.every((device) => world.read(`${device}.calls`) === 0)
        ? [{ id: 'I29', message: 'the call ended although only nodes broke' }]
        : []),
    ]),
  check: (after: Aftermath) => violationsOf(after, { ...CALL_INVARIANTS, ...CLUSTER_INVARIANTS }),
});

function wrongOwners(world: Pick<ScenarioWorld, 'read'>): Violation[] {
  const [calls, owners] = [world.read('server.calls'), world.read('server.owners')];
  if (!Array.isArray(owners) || owners.length === calls) return [];
  return [{ id: 'I26', message: `${String(calls)} calls are at the nodes ${owners.join(', ')}` }];
}
