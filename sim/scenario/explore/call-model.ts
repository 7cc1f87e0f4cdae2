/** Stories of one call between two users. */
import type { ScenarioWorld } from '../run/world.ts';
import { type Aftermath, type Violation, violationsOf } from '../invariants/aftermath.ts';
import { CALL_INVARIANTS } from './call-invariants.ts';
import { drawCall } from './draw-call.ts';
import type { Model } from './model.ts';

/** After this time every limit of a call is over: ringing, connecting, silence, grace. Milliseconds. */
const AFTERWARDS_MS = 200_000;
/** The time in which a call ends on both sides when one hangs up. Milliseconds. */
const PARTING_MS = 10_000;
const VALUES = ['sound', 'call.result', 'call.duration', 'call.startedAt', 'call.endedAt'];

export const CALL_MODEL: Model = {
  draw: (seed) => drawCall(seed),
  values: VALUES,
  serverValues: ['server.calls'],
  settle: (world, devices) => settleCall(world, devices),
  check: (after: Aftermath) => violationsOf(after, CALL_INVARIANTS),
};

/**
 * Lets every limit of a call pass, and ends a call that is still live.
 *
 * @param whileLive - checks what only a live call shows.
 */
export async function settleCall(
  world: ScenarioWorld,
  devices: readonly string[],
  whileLive: () => readonly Violation[] = () => [],
): Promise<readonly Violation[]> {
  await world.until(() => false, AFTERWARDS_MS);
  const live = devices.filter((name) => world.read(`${name}.calls`) !== 0);
  const [caller = ''] = live;
  const isOneSided = new Set(live.map((name) => name.split('.')[0])).size === 1;
  const broken = whileLive();
  // The caller ends a call that is still live.
  if (caller !== '') void world.act(caller, 'end', {});
  await world.until(() => false, PARTING_MS);
  if (!isOneSided) return broken;
  const message = `of the two sides only ${live.join(' and ')} still has the call`;
  return [...broken, { id: 'I9', message }];
}
