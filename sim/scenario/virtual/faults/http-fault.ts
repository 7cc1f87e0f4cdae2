import { spanOf } from '../../format/duration.ts';
import type { FaultOf } from '../../format/faults.ts';
import { fits } from '../../run/values.ts';
import type { Strikes } from '../../run/world.ts';
import type { Fate, Transit } from '../../../virtual/transit.ts';
import { each, type FaultPlace, type Mend } from './place.ts';
import { striking } from './strikes.ts';

const REDIRECT = { status: 302, redirected: true, body: '' } as const;
const PAGE = '<!doctype html><title>Welcome</title>';

/** Breaks the requests of an actor: all of them, or single ones of a kind. */
export function breakRequests(fault: FaultOf<'http'>, strikes: Strikes, place: FaultPlace): Mend {
  const { actor, how, request } = fault;
  const { world, devicesOf, random } = place;
  if ((how === 'vanish' || how === 'stall') && request === undefined) {
    return each(devicesOf(actor), ({ net }) => {
      net.setHttp(how === 'vanish' ? 'down' : 'stalled');
      return () => net.setHttp('up');
    });
  }
  const strikesNow = striking(strikes, random);
  const names = devicesOf(actor).map(({ name }) => name);
  return world.network.rule((message) => {
    if (message.via !== 'http' || !names.includes(message.device)) return undefined;
    if (request !== undefined && !fits(message.type, request)) return undefined;
    return message.direction === wayOf(fault) && strikesNow() ? fateOf(message, fault) : undefined;
  });
}

/**
 * Returns the direction that the fault affects. A refusal happens before the request has its effect, other faults
 * after it.
 */
const wayOf = ({ how }: FaultOf<'http'>): Transit['direction'] =>
  how === 'status' || how === 'vanish' || how === 'stall' ? 'up' : 'down';

function fateOf({ text }: Transit, { how, status = 500, code, by }: FaultOf<'http'>): Fate {
  switch (how) {
    case 'vanish':
    case 'reset':
      return 'drop';
    case 'stall':
      // The answer waits until the fault ends.
      return { behind: Number.POSITIVE_INFINITY };
    case 'slow':
      return { delayMs: spanOf(by) ?? 0 };
    case 'status':
      return { answer: { status, body: code === undefined ? '' : { code, message: 'on purpose' } } };
    case 'malformed':
      return { text: PAGE };
    case 'empty':
      return { text: '' };
    case 'truncated':
      return { text: text.slice(0, Math.floor(text.length / 2)) };
    case 'redirect':
      return { answer: REDIRECT };
    default:
      return how satisfies never;
  }
}
