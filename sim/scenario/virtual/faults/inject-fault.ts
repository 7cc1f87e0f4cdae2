/** The injection of faults in a virtual world. */
import type { Selection } from '../../../faults/selection.ts';
import type { Fault, FaultOf } from '../../../faults/vocabulary.ts';
import { affectsMessages } from '../../../faults/vocabulary.ts';
import { breakChannel, cutSignalling } from './channel-fault.ts';
import { breakDevice } from './device-fault.ts';
import { breakRequests } from './http-fault.ts';
import { breakIce, breakMedia, worsenPath } from './media-fault.ts';
import { messageRule } from '../../../faults/message-rule.ts';
import { each, type FaultPlace, forGood, type Mend } from './place.ts';
import { breakExchange } from './server-fault.ts';
import { forged } from '../../../faults/spoilt-message.ts';

/** Cuts an actor's whole network. Media is back before the page gets `online`. */
function takeOffline(fault: FaultOf<'offline'>, place: FaultPlace): Mend {
  const mendings = [breakMedia({ kind: 'media', actor: fault.actor }, place), cutSignalling(fault, place)];
  return () => mendings.forEach((mend) => mend());
}

/** Injects a fault. Returns the function that ends it. */
export function injectFault(fault: Fault, selection: Selection, place: FaultPlace): Mend {
  // A fault without messages draws its probability once, not for each message.
  if (!affectsMessages(fault.kind) && selection.p !== undefined && place.random() >= selection.p) return forGood;
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
      return place.world.network.rule(messageRule(fault, selection, { random: place.random }));
    case 'forge':
      return each(place.devicesOf(fault.from ?? fault.to), ({ net, newId }) => {
        net.forge(fault.to === undefined ? 'up' : 'down', forged(fault, `forged-${newId()}`));
        return forGood;
      });
    case 'ws':
      return breakChannel(fault, place);
    case 'http':
      return breakRequests(fault, selection, place);
    case 'network':
      return cutSignalling(fault, place);
    case 'offline':
      return takeOffline(fault, place);
    case 'media':
      return breakMedia(fault, place);
    case 'quality':
      return worsenPath(fault, place);
    case 'ice':
      return breakIce(fault, selection, place);
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
