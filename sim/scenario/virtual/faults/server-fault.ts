import { each, forGood, type Mend } from '../../../faults/inject-fault.ts';
import { spanOf } from '../../../format/duration.ts';
import type { FaultOf } from '../../../faults/vocabulary.ts';
import type { FaultPlace } from './place.ts';

/** The close code of a service that restarts (RFC 6455 and its registry). */
const CLOSE_RESTART = 1012;
/** The close code for a page whose session the exchange refuses. */
const CLOSE_UNAUTHORIZED = 4401;

/** Breaks the exchange. */
export function breakExchange(fault: FaultOf<'server'>, place: FaultPlace): Mend {
  const server = place.world.exchange;
  const { exchange } = server;
  const everybody = place.devicesOf();
  switch (fault.how) {
    case 'forget-calls':
      exchange.forgetCalls();
      return forGood;
    case 'turn-changed':
      exchange.changeTurn();
      return forGood;
    case 'revoke':
      for (const user of place.usersOf(fault.user)) exchange.revokeSessions(user);
      return forGood;
    case 'kick':
      for (const user of place.usersOf(fault.user)) exchange.revokeSessions(user);
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
      place.exchangeClock.stall();
      const restore = each(everybody, ({ net }) => {
        net.setSockets('stalled');
        net.setHttp('stalled');
        return () => net.restore();
      });
      return () => {
        place.exchangeClock.resume();
        restore();
      };
    }
    case 'clock-skew': {
      const ms = (spanOf(fault.by) ?? 0) * (fault.back === true ? -1 : 1);
      place.exchangeClock.skew(ms);
      return () => place.exchangeClock.skew(-ms);
    }
    default:
      return fault.how satisfies never;
  }
}
