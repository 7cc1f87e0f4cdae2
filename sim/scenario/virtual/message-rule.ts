import type { Fault } from '../format/tree.ts';
import { spanOf } from '../format/duration.ts';
import type { Fate, Rule, Transit } from '../../virtual/network.ts';
import type { Strikes } from '../run/world.ts';

type MessageFault = Extract<Fault, { kind: 'drop' | 'delay' | 'duplicate' | 'corrupt' }>;

/** A fault on messages as a rule of the network. A message resent is another message. */
export function messageRule(fault: MessageFault, { first, nth }: Strikes): Rule {
  let met = 0;
  return (message) => {
    if (!concerns(message, fault)) return undefined;
    met += 1;
    if (nth !== undefined && met !== nth) return undefined;
    if (first !== undefined && met > first) return undefined;
    return fateOf(message, fault);
  };
}

function concerns({ device, direction, type }: Transit, { from, to, cmd }: MessageFault): boolean {
  const isOf = (actor: string) => device === actor || device.startsWith(`${actor}.`);
  if (type !== cmd) return false;
  if (from !== undefined && !(direction === 'up' && isOf(from))) return false;
  return to === undefined || (direction === 'down' && isOf(to));
}

function fateOf(message: Transit, fault: MessageFault): Fate {
  switch (fault.kind) {
    case 'drop':
      return 'drop';
    case 'delay':
      return { delayMs: spanOf(fault.by) ?? 0 };
    case 'duplicate':
      return { copies: fault.copies };
    case 'corrupt':
      return { text: corrupted(message.text, fault.how) };
    default:
      return fault satisfies never;
  }
}

function corrupted(text: string, how: Extract<MessageFault, { kind: 'corrupt' }>['how']): string {
  if (how === 'empty') return '';
  if (how === 'json') return text.slice(0, Math.floor(text.length / 2));
  const frame = JSON.parse(text) as { type?: unknown; payload?: Record<string, unknown> };
  if (how === 'type') return JSON.stringify({ ...frame, type: 'no_such_type' });
  return JSON.stringify({ ...frame, payload: { ...frame.payload, sdp: 'bm90IGd6aXA=' } });
}
