import type { Order } from './cluster.ts';
import type { Core } from './core.ts';
import { dropDevice, revokeBridges } from './directory/end-login.ts';

type Needs = Pick<Core, 'bridges' | 'channels' | 'cluster' | 'participations' | 'router' | 'sessions' | 'users'>;

/** Carries out an order at this exchange. The other exchanges of a cluster get it too. */
export function carryOut(core: Needs, order: Order): void {
  const { participations, sessions, users } = core;
  const { userId } = order;
  switch (order.kind) {
    case 'sign out':
      return signOut(core, userId, order.access ?? undefined);
    case 'drop devices':
      for (const clientId of order.clientIds) {
        for (const one of participations) one.dropDevice({ userId, clientId });
      }
      return;
    case 'revoke sessions':
      revokeBridges(core, userId);
      sessions.revoke(userId);
      return;
    case 'end calls':
      for (const one of participations) one.endBetween(userId, order.other);
      return;
    case 'remove user':
      for (const one of participations) one.endFor(userId);
      signOut(core, userId);
      users.remove(userId);
      return;
    default:
      return order satisfies never;
  }
}

/** Ends the sessions and the devices that are here. Their calls and rooms may be at other exchanges. */
function signOut(core: Needs, userId: string, access?: string): void {
  revokeBridges(core, userId);
  const ended = core.sessions.revoke(userId, access).map(({ clientId }) => clientId);
  // A socket may have outlived its session.
  const connected = core.channels.clientsOf(userId, access);
  const clientIds = [...new Set([...ended, ...connected])];
  for (const clientId of clientIds) dropDevice(core, { userId, clientId });
  if (clientIds.length > 0) core.cluster?.order?.({ kind: 'drop devices', userId, clientIds });
}
