/** The injection of faults in a virtual world. */
import type { Fault, FaultOf } from '../../format/faults.ts';
import { isStriking } from '../../format/faults.ts';
import type { Strikes } from '../../run/world.ts';
import { breakChannel, cutSignalling } from './channel-fault.ts';
import { breakDevice } from './device-fault.ts';
import { breakRequests } from './http-fault.ts';
import { breakIce, breakMedia, worsenPath } from './media-fault.ts';
import { messageRule } from './message-rule.ts';
import { each, type FaultPlace, forGood, type Mend } from './place.ts';
import { breakExchange } from './server-fault.ts';
import { forged } from './spoilt-message.ts';

/** Cuts an actor's whole network. Media is back before the page gets `online`. */
function takeOffline(fault: FaultOf<'offline'>, place: FaultPlace): Mend {
  const mendings = [breakMedia({ kind: 'media', actor: fault.actor }, place), cutSignalling(fault, place)];
  return () => mendings.forEach((mend) => mend());
}

/** Injects a fault. Returns the function that ends it. */
export function injectFault(fault: Fault, strikes: Strikes, place: FaultPlace): Mend {
  // A fault without messages draws its probability once, not for each message.
  if (!isStriking(fault.kind) && strikes.p !== undefined && place.random() >= strikes.p) return forGood;
  switch (fault.kind) {
    case 'drop':
    case 'delay':
    case 'duplicate':
    case 'reorder':
    case 'replay':
    case 'corrupt':
    case 'truncate':
    case 'wrong-request-id':
    case 'refuse':
      return place.world.network.rule(messageRule(fault, strikes, place.random));
    case 'forge':
      return each(place.devicesOf(fault.from ?? fault.to), ({ net, newId }) => {
        net.forge(fault.to === undefined ? 'up' : 'down', forged(fault, `forged-${newId()}`));
        return forGood;
      });
    case 'ws':
      return breakChannel(fault, place);
    case 'http':
      return breakRequests(fault, strikes, place);
    case 'network':
      return cutSignalling(fault, place);
    case 'offline':
      return takeOffline(fault, place);
    case 'media':
      return breakMedia(fault, place);
    case 'quality':
      return worsenPath(fault, place);
    case 'ice':
      return breakIce(fault, strikes, place);
    case 'server':
      return breakExchange(fault, place);
    case 'device':
    case 'unplug':
    case 'page':
    case 'throttle':
    case 'sleep':
    case 'clock':
      return breakDevice(fault, place);
    default:
      return fault satisfies never;
  }
}
