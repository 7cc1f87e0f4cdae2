/** What a trace has kept of the wire, as text again. */
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';
import { EVENTS } from '../../../src/protocol/messages/events.ts';
import type { HttpEvent, MessageEvent } from '../trace/trace.ts';

/** Where the exchange of a trace is said to be: a trace keeps no addresses. */
export const EXCHANGE_HOST = 'exchange.test';

/** The moment at which a trace is said to begin: it keeps no dates. The virtual clock begins there too. */
export const BEGINNING = Date.UTC(2026, 0, 1);

/** A frame of the realtime channel: the ids of its envelope are not kept, its sdp is readable. */
export function frameText({ cmd, payload, error }: MessageEvent): string {
  const type = cmd.replace(/_ack$/, '');
  const group = [...Object.entries(COMMANDS), ...Object.entries(EVENTS)].find(([, types]) =>
    Object.hasOwn(types, type),
  );
  const said = error === undefined ? { payload } : { error: { code: error } };
  return JSON.stringify({ ...(group ? { cmd: group[0] } : {}), type: cmd, ...said });
}

/** The body of a request or an answer; empty where it has none. */
export function bodyText({ body }: HttpEvent): string {
  if (body === undefined || body === '') return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export function requestLine({ request }: HttpEvent): { method: string; path: string } {
  const [method = '', path = ''] = request.split(' ');
  return { method, path };
}

/** The status of an answer; a trace of before it was kept has none, and then it is the usual one. */
export const statusOf = ({ status = 200 }: HttpEvent): number => status;
