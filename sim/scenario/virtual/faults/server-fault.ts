import { each, forGood, type Mend } from '../../../faults/inject-fault.ts';
import { spanOf } from '../../../format/duration.ts';
import type { FaultOf } from '../../../faults/vocabulary.ts';
import type { FaultPlace } from './place.ts';

/** The close code of a service that restarts (RFC 6455 and its registry). */
const CLOSE_RESTART = 1012;
/** The close code for a page whose session the exchange refuses. */
const CLOSE_UNAUTHORIZED = 4401;

/** Breaks the exchange: all its nodes. */
export function breakExchange(fault: FaultOf<'server'>, place: FaultPlace): Mend {
  const server = place.world.exchange;
  const everybody = place.devicesOf();
  switch (fault.how) {
    case 'forget-calls':
      for (const exchange of server.exchanges) exchange.forgetCalls();
      return forGood;
    case 'turn-changed':
      for (const exchange of server.exchanges) exchange.changeTurn();
      return forGood;
    case 'revoke':
      revoke(place, fault.user);
      return forGood;
    case 'kick':
      revoke(place, fault.user);
      return each(place.devicesOf(fault.user), ({ net }) => {
        net.dropSockets(CLOSE_UNAUTHORIZED);
        return forGood;
      });
    case 'restart':
      server.stop();
      for (const { net } of everybody) net.dropSockets(CLOSE_RESTART);
      return () => server.start();
    case 'crash':
    case 'wipe':
      if (fault.how === 'crash') server.kill();
      else server.lose();
      for (const { net } of everybody) net.dropSockets();
      return () => server.start();
    case 'stall': {
      if (server.state) {
        return each(server.nodes, (node) => {
          node.pause();
          return () => node.resume();
        });
      }
      for (const { clock } of server.nodes) clock.stall();
      const restore = each(everybody, ({ net }) => {
        net.setSockets('stalled');
        net.setHttp('stalled');
        return () => net.restore();
      });
      return () => {
        for (const { clock } of server.nodes) clock.resume();
        restore();
      };
    }
    case 'clock-skew': {
      const ms = (spanOf(fault.by) ?? 0) * (fault.back === true ? -1 : 1);
      return each(server.nodes, ({ clock }) => {
        clock.skew(ms);
        return () => clock.skew(-ms);
      });
    }
    default:
      return fault.how satisfies never;
  }
}

function revoke({ world, usersOf }: FaultPlace, name: string | undefined): void {
  for (const user of usersOf(name)) for (const exchange of world.exchange.exchanges) exchange.revokeSessions(user);
}
