import { each, type Mend } from '../../../faults/inject-fault.ts';
import { requestRule } from '../../../faults/request-rule.ts';
import type { Selection } from '../../../faults/selection.ts';
import type { FaultOf } from '../../../faults/vocabulary.ts';
import { fits } from '../../run/values.ts';
import type { FaultPlace } from './place.ts';

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
