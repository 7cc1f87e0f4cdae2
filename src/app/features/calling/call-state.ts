import { type CallParty, type CallsState, isLive } from '../../../react/index.ts';

/** Returns the nickname, or the user id without a nickname (app-shell §2). */
export function displayName(party: CallParty): string {
  return party.nickname || party.userId;
}

/** Returns true while a call rings or is live. The page must not reload then. */
export function isCallUp({ incoming, active }: CallsState): boolean {
  return incoming.length > 0 || isLive(active);
}
