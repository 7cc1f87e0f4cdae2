/** The match of a trace's events with a sight. */
import type { Sight } from '../format/tree.ts';
import type { HttpEvent, MessageEvent, SocketEvent, TraceEvent } from '../../../src/trace/events.ts';
import { fillIn, fits, show, type Scope } from './values.ts';

type Seen = MessageEvent | HttpEvent | SocketEvent;

/** Returns whether the event matches the sight. */
export function isSeen(event: TraceEvent, sight: Sight, scope: Scope): event is Seen {
  const { from, to, cmd, http, ws } = sight;
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
    return sight.with === undefined || fits(event.payload, fillIn(sight.with, scope));
  }
  if (http === undefined || event.request !== fillIn(http, scope)) return false;
  return sight.with === undefined || fits(event.body, fillIn(sight.with, scope));
}

/** An actor without a device name matches all of its devices. */
const isOf = (device: string, actor: unknown): boolean =>
  actor === undefined || device === actor || (typeof actor === 'string' && device.startsWith(`${actor}.`));

/** Returns a sight in words: `offer from alice`. */
export function sightText(sight: Sight, scope: Scope): string {
  const what = String(fillIn(sight.cmd ?? sight.http ?? `channel ${sight.ws}`, scope));
  const parts = [
    what,
    ...(sight.from === undefined ? [] : [`from ${show(fillIn(sight.from, scope))}`]),
    ...(sight.to === undefined ? [] : [`to ${show(fillIn(sight.to, scope))}`]),
    ...(sight.with === undefined ? [] : [`with ${show(fillIn(sight.with, scope))}`]),
  ];
  return parts.join(' ');
}
