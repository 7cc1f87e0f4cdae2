import type { ActiveCall, CallsState } from '../calling/call-state.ts';

/** Returns true while a call rings or is live. The page must not reload then. */
export function isCallUp({ incoming, active }: CallsState): boolean {
  return incoming.length > 0 || isLive(active);
}

/** Returns true for a call that has not ended. */
export function isLive(call: ActiveCall | null): call is ActiveCall {
  return call !== null && call.stage.name !== 'ended';
}
