import * as v from 'valibot';
import type { EndRecord } from './call.ts';
import { liveCall, endOf, lengthOf } from './live-call.ts';
import { OWN_ENDINGS } from './outcomes.ts';
import type { KeptCall } from '../store.ts';

/**
 * Returns the record of a call whose exchange did not restart. The call ends when its exchange last saw it. Undefined
 * for a body that cannot be read.
 */
export function endRecordOf({ body, seen }: KeptCall): EndRecord | undefined {
  const read = v.safeParse(liveCall, body);
  if (!read.success) return undefined;
  const { callId, isVideoCall, customItems, itemsAffectedAt, callerUser, calleeUser, createdAt, state } = read.output;
  const started = state.name === 'connected' ? state.since : null;
  return {
    callId,
    isVideoCall,
    customItems,
    itemsAffectedAt,
    participants: [callerUser, calleeUser],
    createdAt,
    startedAt: started?.at ?? null,
    endedAt: started === null ? Math.max(seen.at, createdAt) : endOf(started, seen),
    endedBy: null,
    duration: started === null ? 0 : lengthOf(started, seen),
    endResult: (state.name === 'ringing' ? OWN_ENDINGS.callerGone : OWN_ENDINGS.legGone).result,
  };
}
