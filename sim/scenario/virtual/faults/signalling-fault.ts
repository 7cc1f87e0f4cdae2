import { spanOf } from '../../../format/duration.ts';
import { each, type Mend } from '../../../faults/inject-fault.ts';
import { requestRule } from '../../../faults/request-rule.ts';
import type { Selection } from '../../../faults/selection.ts';
import type { FaultOf } from '../../../faults/vocabulary.ts';
import { fits } from '../../format/values.ts';
import type { FaultPlace } from './place.ts';

const MODES = {
  vanish: 'stalled',
  stall: 'stalled',
  'stall-connect': 'unanswered',
  silent: 'silent',
  refuse: 'down',
  unauthorized: 401,
  unavailable: 503,
} as const;

/** The faults that leave open channels as they are. */
const GENTLE: readonly string[] = ['stall', 'silent'];

/** Breaks the realtime channel of an actor. */
export function breakChannel(fault: FaultOf<'ws'>, { devicesOf }: FaultPlace): Mend {
  const { how } = fault;
  return each(devicesOf(fault.actor), ({ net }) => {
    switch (how) {
      case 'reset':
      case 'close':
        net.dropSockets(fault.code);
        return () => undefined;
      case 'slow':
        net.setSlowness(spanOf(fault.by) ?? 0);
        return () => net.setSlowness(0);
      case 'twin':
        return net.openTwin();
      default:
        net.setSockets(MODES[how]);
        if (!GENTLE.includes(how)) net.dropSockets();
        return () => net.setSockets('up');
    }
  });
}

/** Cuts the signaling of an actor: channel and requests. The page gets `online` when it is back. */
export function cutSignalling({ actor }: FaultOf<'network' | 'offline'>, { devicesOf }: FaultPlace): Mend {
  return each(devicesOf(actor), ({ net, page }) => {
    net.cut();
    return () => {
      net.restore();
      page.goOnline();
    };
  });
}

/** Breaks the requests of an actor: all of them, or single ones of a kind. */
export function breakRequests(fault: FaultOf<'http'>, place: FaultPlace, selection: Selection): Mend {
  const { actor, how, request } = fault;
  const { messages, devicesOf, random } = place;
  if ((how === 'vanish' || how === 'stall') && request === undefined) {
    return each(devicesOf(actor), ({ net }) => {
      net.setHttp(how === 'vanish' ? 'down' : 'stalled');
      return () => net.setHttp('up');
    });
  }
  const names = devicesOf(actor).map(({ name }) => name);
  return messages.add(
    requestRule(fault, selection, {
      concerns: ({ device, type }) => names.includes(device) && (request === undefined || fits(type, request)),
      random,
    }),
  );
}
