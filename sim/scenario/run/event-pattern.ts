/** The match of a trace's events with a pattern. */
import type { EventPattern } from '../format/tree.ts';
import type { HttpEvent, MessageEvent, SocketEvent, TraceEvent } from '../../../src/trace/events.ts';
import { fillIn, fits, show, type Scope } from '../format/values.ts';

type Seen = MessageEvent | HttpEvent | SocketEvent;

/** Returns whether the event matches the pattern. */
export function matchesPattern(event: TraceEvent, pattern: EventPattern, scope: Scope): event is Seen {
  const { from, to, cmd, http, ws } = pattern;
  if (event.kind !== 'message' && event.kind !== 'http' && event.kind !== 'socket') return false;
  const wanted = { from: fillIn(from, scope), to: fillIn(to, scope) };
  if (event.kind === 'socket')
    return ws !== undefined && event.what === ws && isOf(event.device, wanted.from ?? wanted.to);
  if (ws !== undefined) return false;
  if (wanted.from !== undefined && !(event.direction === 'up' && isOf(event.device, wanted.from))) return false;
  if (wanted.to !== undefined && !(event.direction === 'down' && isOf(event.device, wanted.to))) return false;
  if (event.kind === 'message') {
    if (cmd === undefined || event.cmd !== fillIn(cmd, scope)) return false;
    // A refusal has no payload.
    return pattern.with === undefined || fits(event.payload, fillIn(pattern.with, scope));
  }
  if (http === undefined || event.request !== fillIn(http, scope)) return false;
  return pattern.with === undefined || fits(event.body, fillIn(pattern.with, scope));
}

/** An actor without a device name matches all of its devices. */
const isOf = (device: string, actor: unknown): boolean =>
  actor === undefined || device === actor || (typeof actor === 'string' && device.startsWith(`${actor}.`));

/** Returns a pattern in words: `offer from alice`. */
export function patternText(pattern: EventPattern, scope: Scope): string {
  const what = String(fillIn(pattern.cmd ?? pattern.http ?? `channel ${pattern.ws}`, scope));
  const parts = [
    what,
    ...(pattern.from === undefined ? [] : [`from ${show(fillIn(pattern.from, scope))}`]),
    ...(pattern.to === undefined ? [] : [`to ${show(fillIn(pattern.to, scope))}`]),
    ...(pattern.with === undefined ? [] : [`with ${show(fillIn(pattern.with, scope))}`]),
  ];
  return parts.join(' ');
}
