/** Stories of one call between two users. */
import type { Aftermath } from './aftermath.ts';
import { violationsOf } from './aftermath.ts';
import { CALL_INVARIANTS } from './call-invariants.ts';
import { drawCall } from './draw-call.ts';
import type { Model } from './model.ts';

/** After this time every limit of a call is over: ringing, connecting, silence, grace. Milliseconds. */
const AFTERWARDS_MS = 200_000;
/** The time in which a call ends on both sides when one hangs up. Milliseconds. */
const PARTING_MS = 10_000;
const VALUES = ['sound', 'call.result', 'call.duration', 'call.startedAt', 'call.endedAt'];

export const CALL_MODEL: Model = {
  draw: drawCall,
  afterwardsMs: AFTERWARDS_MS,
  values: VALUES,
  serverValues: ['server.calls'],
  async settle(world, devices) {
    await world.until(() => false, AFTERWARDS_MS);
    const [caller = '', ...callees] = devices.filter((name) => world.read(`${name}.calls`) !== 0);
    const isOneSided = (caller === 'alice') !== callees.length > 0;
    // The caller ends a call that is still live.
    if (caller !== '') void world.act(caller, 'end', {});
    await world.until(() => false, PARTING_MS);
    if (!isOneSided) return [];
    const message = `of the two sides only ${[caller, ...callees].join(' and ')} still has the call`;
    return [{ id: 'I9', message }];
  },
  check: (after: Aftermath) => violationsOf(after, CALL_INVARIANTS),
};
