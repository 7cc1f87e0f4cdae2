import type { ActiveCall, CallsState } from '../calling/call-state.ts';

/** Whether a call is ringing or live: the page is not to be taken from under it. */
export function isCallUp({ incoming, active }: CallsState): boolean {
  return incoming.length > 0 || isLive(active);
}

export function isLive(call: ActiveCall | null): call is ActiveCall {
  return call !== null && call.stage.name !== 'ended';
}
