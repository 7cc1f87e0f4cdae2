import { spanOf } from '../format/duration.ts';
import type { Fate, Message, MessageRule } from './message.ts';
import { type Selection, selector } from './selection.ts';
import type { FaultOf } from './vocabulary.ts';

const REDIRECT = { status: 302, redirected: true, body: '' } as const;
const PAGE = '<!doctype html><title>Welcome</title>';

/**
 * Returns the rule of a fault of single requests.
 * @param concerns - whether the fault concerns this request or its answer.
 */
export function requestRule(
  fault: FaultOf<'http'>,
  selection: Selection,
  { concerns, random }: { readonly concerns: (message: Message) => boolean; readonly random: () => number },
): MessageRule {
  const isSelected = selector(selection, random);
  return (message) =>
    message.via === 'http' && concerns(message) && message.direction === directionOf(fault) && isSelected()
      ? fateOf(message, fault)
      : undefined;
}

/**
 * Returns the direction that the fault affects. A refusal happens before the request has its effect, other faults
 * after it.
 */
const directionOf = ({ how }: FaultOf<'http'>): Message['direction'] =>
  how === 'status' || how === 'vanish' || how === 'stall' ? 'up' : 'down';

function fateOf({ text }: Message, { how, status = 500, code, by }: FaultOf<'http'>): Fate {
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
