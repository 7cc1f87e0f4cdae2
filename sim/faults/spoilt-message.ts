/** Messages with wrong content. */
import { EVENTS } from '../../src/protocol/messages/events.ts';
import { COMMANDS } from '../../src/protocol/messages/commands.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.ts';
import { packSdp, unpackSdp } from '../../src/protocol/sdp-codec.ts';
import type { FaultOf } from './vocabulary.ts';

type Frame = Readonly<Record<string, unknown>> & { readonly payload?: Readonly<Record<string, unknown>> };

/** The head of a gzip member (RFC 1952), and a block of a reserved type (RFC 1951, 3.2.3). */
const GZIP_OF_NOTHING = btoa(String.fromCharCode(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x07, 0, 0, 0));
const NOT_GZIP = btoa('not gzip');
/** A fingerprint that belongs to no certificate. */
const FOREIGN_FINGERPRINT = Array.from({ length: 32 }, () => '00').join(':');

/** Returns the message, corrupted in one way. */
export function corrupted(text: string, how: FaultOf<'corrupt'>['how']): string {
  if (how === 'empty') return '';
  if (how === 'json') return text.slice(0, Math.floor(text.length / 2));
  const frame = JSON.parse(text) as Frame;
  const withPayload = (changes: Readonly<Record<string, unknown>>) =>
    JSON.stringify({ ...frame, payload: { ...frame.payload, ...changes } });
  switch (how) {
    case 'sdp':
      return withPayload({ sdp: NOT_GZIP });
    case 'gzip':
      return withPayload({ sdp: GZIP_OF_NOTHING });
    case 'fingerprint':
      return withPayload({ sdp: packSdp(withForeignFingerprint(unpackSdp(String(frame.payload?.sdp)))) });
    case 'type':
      return JSON.stringify({ ...frame, type: 'no_such_type' });
    case 'shape':
      return JSON.stringify({ ...frame, payload: [] });
    case 'extra':
      return JSON.stringify({ ...frame, payload: { ...frame.payload, no_such_field: 1 }, no_such_field: 1 });
    default:
      return how satisfies never;
  }
}

const withForeignFingerprint = (sdp: string): string =>
  sdp.replaceAll(/^a=fingerprint:sha-256 .*$/gm, `a=fingerprint:sha-256 ${FOREIGN_FINGERPRINT}\r`);

/** Returns the message with the id of a request that was never sent. */
export function misaddressed(text: string): string {
  const frame = JSON.parse(text) as Frame;
  return JSON.stringify({ ...frame, request_id: 'nobody-asked' });
}

/** Returns the answer of an exchange that refuses the command. */
export function refusal(text: string, code: number): unknown {
  const { version, request_id, cmd, type } = JSON.parse(text) as Frame;
  return { version, request_id, cmd, type: `${String(type)}_ack`, error: { code, message: '' } };
}

const groupOf = (groups: Readonly<Record<string, object>>, type: string): string =>
  Object.entries(groups).find(([, types]) => type in types)?.[0] ?? 'CALL';

/** Returns a forged message: an event on its way down, a command on its way up. */
export function forged({ cmd: type, payload, to }: FaultOf<'forge'>, id: string): string {
  const frame =
    to === undefined
      ? { request_id: id, cmd: groupOf(COMMANDS, type) }
      : {
          message_id: id,
          cmd: groupOf(EVENTS, type),
          delivery_info: { channel: 'websocket' },
          // The message is not part of the sequence of its call.
          sequence_number: 0,
        };
  // A forged sdp is written in its readable form.
  const sdp = typeof payload.sdp === 'string' ? { sdp: packSdp(payload.sdp) } : {};
  return JSON.stringify({ version: PROTOCOL_VERSION, ...frame, type, payload: { ...payload, ...sdp } });
}
