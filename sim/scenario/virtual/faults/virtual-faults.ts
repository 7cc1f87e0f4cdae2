import { each, type FaultTarget, forGood, MESSAGE_FAULTS, type Mend } from '../../../faults/inject-fault.ts';
import { forged } from '../../../faults/spoilt-message.ts';
import type { FaultOf } from '../../../faults/vocabulary.ts';
import { breakChannel, cutSignalling, breakRequests } from './signalling-fault.ts';
import { breakDevice } from './device-fault.ts';
import { breakBus, breakNode, breakState } from './node-fault.ts';
import { breakIce, breakMedia, worsenPath } from './media-fault.ts';
import type { FaultPlace } from './place.ts';
import { breakExchange } from './server-fault.ts';

/** The faults of the virtual world. It has every kind. */
export const VIRTUAL_FAULTS: FaultTarget<FaultPlace> = {
  ...MESSAGE_FAULTS,
  forge,
  ws: breakChannel,
  http: breakRequests,
  network: cutSignalling,
  offline: takeOffline,
  media: breakMedia,
  quality: worsenPath,
  ice: breakIce,
  server: breakExchange,
  node: breakNode,
  state: breakState,
  bus: breakBus,
  device: breakDevice,
  unplug: breakDevice,
  page: breakDevice,
  throttle: breakDevice,
  sleep: breakDevice,
  clock: breakDevice,
};

/** Sends a forged message to a device, or in its name to the exchange. */
function forge(fault: FaultOf<'forge'>, { devicesOf }: FaultPlace): Mend {
  return each(devicesOf(fault.from ?? fault.to), ({ net, newId }) => {
    net.forge(fault.to === undefined ? 'up' : 'down', forged(fault, `forged-${newId()}`));
    return forGood;
  });
}

/** Cuts an actor's whole network. Media is back before the page gets `online`. */
function takeOffline(fault: FaultOf<'offline'>, place: FaultPlace): Mend {
  const mendings = [breakMedia({ kind: 'media', actor: fault.actor }, place), cutSignalling(fault, place)];
  return () => mendings.forEach((mend) => mend());
}
