import { spanOf } from '../format/duration.ts';
import type { Answer, Fate, Message, MessageRule } from './message.ts';
import { type Selection, selector } from './selection.ts';
import { corrupted, misaddressed, refusal } from './spoilt-message.ts';
import type { FaultOf } from './vocabulary.ts';

/** A delay, with its spans as a scenario or a script writes them. */
type Delay = Omit<FaultOf<'delay'>, 'by'> & { readonly by: string };

export type MessageFault =
  | FaultOf<'drop' | 'duplicate' | 'reorder' | 'replay' | 'corrupt' | 'truncate' | 'wrong-request-id' | 'refuse'>
  | Delay;

export interface MessageRuleOptions {
  /** The random numbers of this fault only. */
  readonly random: () => number;
  /** Returns the answer of an exchange that refuses the message. Default: the reply to a command, without words. */
  readonly refusal?: (message: Message, code: number) => Answer;
}

const replyWithCode = ({ text }: Message, code: number): Answer => ({ status: 200, body: refusal(text, code) });

/** Returns the rule of a fault of messages. A message that is sent again counts as another message. */
export function messageRule(fault: MessageFault, selection: Selection, options: MessageRuleOptions): MessageRule {
  const isSelected = selector(selection, options.random);
  return (message) => (concerns(message, fault) && isSelected() ? fateOf(message, fault, options) : undefined);
}

/** Returns whether the message has this type, sender and receiver. `any` is every type on the channel. */
export function concerns(
  { device, direction, type, via }: Message,
  { from, to, cmd }: { readonly from?: string | undefined; readonly to?: string | undefined; readonly cmd: string },
): boolean {
  const isOf = (actor: string) => device === actor || device.startsWith(`${actor}.`);
  if (cmd === 'any' ? via !== 'socket' : type !== cmd) return false;
  if (from !== undefined && to !== undefined) return direction === 'up' ? isOf(from) : isOf(to);
  if (from !== undefined) return direction === 'up' && isOf(from);
  return to === undefined || (direction === 'down' && isOf(to));
}

/**
 * Returns the delay of a message. Without jitter later messages may overtake it. Jitter affects the channel, which
 * keeps its order.
 */
function delayOf({ by, jitter, reorder }: Delay, random: () => number): Fate {
  const delayMs = (spanOf(by) ?? 0) + Math.floor((spanOf(jitter) ?? 0) * random());
  return { delayMs, ...(jitter === undefined || reorder === true ? {} : { inOrder: true }) };
}

function fateOf(
  message: Message,
  fault: MessageFault,
  { random, refusal: refused = replyWithCode }: MessageRuleOptions,
): Fate {
  const { text } = message;
  switch (fault.kind) {
    case 'drop':
      return 'drop';
    case 'delay':
      return delayOf(fault, random);
    case 'duplicate':
      return { copies: fault.copies };
    case 'reorder':
      return { behind: fault.behind };
    case 'replay':
      return { againAfterMs: spanOf(fault.after) ?? 0 };
    case 'corrupt':
      return { text: corrupted(text, fault.how) };
    case 'truncate':
      return { text: text.slice(0, fault.keep) };
    case 'wrong-request-id':
      return { text: misaddressed(text) };
    case 'refuse':
      // Only a command can be refused, not a reply or an event.
      return message.direction === 'up' ? { answer: refused(message, fault.code) } : undefined;
    default:
      return fault satisfies never;
  }
}
