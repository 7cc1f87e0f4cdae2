/** The messages of a trace as text on the wire. */
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';
import { EVENTS } from '../../../src/protocol/messages/events.ts';
import { ROOM_COMMANDS, ROOM_EVENTS, ROOM_GROUP } from '../../../src/protocol/messages/rooms.ts';
import type { HttpEvent, MessageEvent } from '../../../src/trace/events.ts';

/** The host name of the exchange. A trace contains no addresses. */
export const EXCHANGE_HOST = 'exchange.test';

/** The wall time at which a trace begins: it contains no dates. The virtual clock begins there too. */
export const BEGINNING = Date.UTC(2026, 0, 1);

/** The groups of the types of messages. */
const GROUPS: Readonly<Record<string, string>> = Object.fromEntries([
  ...[ROOM_COMMANDS, ROOM_EVENTS].flatMap((types) => Object.keys(types).map((type) => [type, ROOM_GROUP])),
  ...[COMMANDS, EVENTS].flatMap((groups) =>
    Object.entries(groups).flatMap(([group, types]) => Object.keys(types).map((type) => [type, group])),
  ),
]);

/** Returns a frame of the realtime channel. The trace has no ids of its envelope, and a readable sdp. */
export function frameText({ cmd, payload, error }: MessageEvent): string {
  const type = cmd.replace(/_ack$/, '');
  const group = GROUPS[type];
  const content = error === undefined ? { payload } : { error: { code: error } };
  return JSON.stringify({ ...(group === undefined ? {} : { cmd: group }), type: cmd, ...content });
}

/** Returns the body of a request or an answer. Empty if it has none. */
export function bodyText({ body }: HttpEvent): string {
  if (body === undefined || body === '') return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export function requestLine({ request }: HttpEvent): { method: string; path: string } {
  const [method = '', path = ''] = request.split(' ');
  return { method, path };
}

/** Returns the status of an answer. Older traces have none: then it is 200. */
export const statusOf = ({ status = 200 }: HttpEvent): number => status;
