/** Breaks what a fault says in a virtual world. */
import type { VirtualPlatform } from '../../virtual/platform.ts';
import type { World } from '../../virtual/world.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { spanOf } from '../format/duration.ts';
import type { Fault } from '../format/tree.ts';
import type { Actor } from '../actor/actor.ts';
import type { Strikes } from '../run/world.ts';
import { messageRule } from './message-rule.ts';

const SOCKET_MODES = {
  vanish: 'stalled',
  stall: 'stalled',
  refuse: 'down',
  unauthorized: 401,
  unavailable: 503,
} as const;

interface Place {
  readonly world: World<Exchange>;
  /** Every device of an actor; the one device where the name is a device's. */
  readonly devicesOf: (actor: string) => readonly Actor<VirtualPlatform>[];
}

/** Returns the mending. */
export function injectFault(fault: Fault, strikes: Strikes, { world, devicesOf }: Place): () => void {
  const { network, media, exchange, clock } = world;
  const each = (actor: string, harm: (device: Actor<VirtualPlatform>) => () => void) => {
    const mendings = devicesOf(actor).map(harm);
    return () => mendings.forEach((mend) => mend());
  };
  switch (fault.kind) {
    case 'drop':
    case 'delay':
    case 'duplicate':
    case 'corrupt':
      return network.rule(messageRule(fault, strikes));
    case 'ws':
      return each(fault.actor, ({ platform: { net } }) => {
        if (fault.how === 'reset') net.dropSockets();
        else {
          net.setSockets(SOCKET_MODES[fault.how]);
          if (fault.how !== 'stall') net.dropSockets();
        }
        return () => net.setSockets('up');
      });
    case 'http':
      return each(fault.actor, ({ platform: { net } }) => {
        net.setHttp(fault.how === 'vanish' ? 'down' : 'stalled');
        return () => net.setHttp('up');
      });
    case 'network':
      return each(fault.actor, ({ platform: { net, page } }) => {
        net.cut();
        return () => {
          net.restore();
          page.goOnline();
        };
      });
    case 'media':
      return each(fault.actor, ({ name }) => {
        media.cutDevice(name);
        return () => media.restoreDevice(name);
      });
    case 'quality': {
      const [a, b] = fault.between;
      const former = media.quality(a, b);
      const [rtt, jitter] = [spanOf(fault.rtt), spanOf(fault.jitter)];
      media.setQuality(a, b, {
        ...(fault.loss === undefined ? {} : { lossRate: fault.loss }),
        ...(rtt === undefined ? {} : { rttMs: rtt }),
        ...(jitter === undefined ? {} : { jitterMs: jitter }),
      });
      return () => media.setQuality(a, b, former);
    }
    case 'device':
      return each(fault.actor, ({ platform: { devices } }) => {
        devices.fail(fault.what, fault.error);
        return () => devices.mend();
      });
    case 'server':
      if (fault.how === 'forget-calls') exchange.forgetCalls();
      else if (fault.how === 'turn-changed') exchange.changeTurn();
      else exchange.revokeSessions(fault.user ?? '');
      return () => undefined;
    case 'page':
      return each(fault.actor, ({ platform: { page } }) => {
        page.go(fault.state);
        return () => page.go('active');
      });
    case 'clock': {
      const ms = (spanOf(fault.by) ?? 0) * (fault.back ? -1 : 1);
      clock.skewWall(ms);
      return () => clock.skewWall(-ms);
    }
    default:
      return fault satisfies never;
  }
}

/** A fault in a few words. */
export function faultText(fault: Fault): string {
  return Object.entries(fault)
    .map(([key, value]) =>
      key === 'kind' ? String(value) : `${key} ${Array.isArray(value) ? value.join(' and ') : String(value)}`,
    )
    .join(' ');
}
