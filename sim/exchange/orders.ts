import type { Order } from './cluster.ts';
import type { Core } from './core.ts';
import { dropDevice, endParts, revokeBridges } from './directory/end-login.ts';

type Needs = Pick<
  Core,
  'bridges' | 'channels' | 'cluster' | 'participations' | 'router' | 'sessions' | 'users' | 'waiting'
>;

/**
 * Carries out an order at this exchange. The other exchanges of a cluster get it too.
 *
 * @param at - when another exchange gave the order, by the time of the cluster. It ends no session that was opened later.
 *   Default: this exchange gives the order now.
 */
export function carryOut(core: Needs, order: Order, at?: number): void {
  const { participations, sessions, users } = core;
  const { userId } = order;
  switch (order.kind) {
    case 'sign out':
      return signOut(core, userId, order.access ?? undefined, at);
    case 'drop devices':
      for (const clientId of order.clientIds) endParts(core, { userId, clientId });
      return;
    case 'revoke sessions':
      revokeBridges(core, userId);
      sessions.revoke(userId, undefined, at);
      return;
    case 'end calls':
      for (const one of participations) one.endBetween(userId, order.other);
      return;
    case 'remove user':
      for (const one of participations) one.endFor(userId);
      signOut(core, userId, undefined, at);
      users.remove(userId);
      return;
    default:
      return order satisfies never;
  }
}

/** Ends the sessions and the devices that are here. Their calls and rooms may be at other exchanges. */
function signOut(core: Needs, userId: string, access?: string, at?: number): void {
  revokeBridges(core, userId);
  const ended = core.sessions.revoke(userId, access, at).map(({ clientId }) => clientId);
  // A socket may have outlived its session. A session that is left was opened after the order.
  const hasNone = (clientId: string) => core.sessions.tokenOf({ userId, clientId }) === undefined;
  const connected = core.channels.clientsOf(userId, access).filter(hasNone);
  const clientIds = [...new Set([...ended, ...connected])];
  for (const clientId of clientIds) dropDevice(core, { userId, clientId });
  if (clientIds.length > 0) core.cluster?.order?.({ kind: 'drop devices', userId, clientIds });
}
