/** The parts of an offer that the SFU uses. Candidates are not read: clients are known by their connectivity checks. */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { MediaDirection } from '../../../src/protocol/room-entities.ts';

export type MediaKind = 'audio' | 'video';

/** The codec of a section, with the numbers that its client chose. */
export interface Codec {
  readonly payloadType: number;
  /** The payload type of retransmissions (RFC 4588). Null without them. */
  readonly rtxPayloadType: number | null;
  /** The parameters of the codec, as the client wrote them. */
  readonly parameters: string;
}

export interface OfferedMedia {
  readonly kind: MediaKind;
  readonly mid: string;
  /** The direction as the client sees it. */
  readonly direction: MediaDirection;
  readonly codec: Codec;
  /** The source of the client's packets. Null when the offer names none. */
  readonly ssrc: number | null;
  readonly rtxSsrc: number | null;
  /** The ids of the header extensions that the SFU uses. Null for one that is not offered. */
  readonly midExtension: number | null;
  readonly sendTimeExtension: number | null;
}

export interface Fingerprint {
  /** `sha-256`, for example. */
  readonly hash: string;
  /** Pairs of upper-case hexadecimal digits, separated by colons. */
  readonly value: string;
}

export interface Offer {
  readonly media: readonly OfferedMedia[];
  /** The client's credential of ICE. It changes with an ICE restart. */
  readonly iceUfrag: string;
  readonly fingerprint: Fingerprint;
}

/** Every browser has these two codecs (RFC 7742, RFC 7874). So each viewer can decode each master. */
const CODECS: Readonly<Record<MediaKind, RegExp>> = { audio: /^opus\/48000/i, video: /^VP8\/90000/i };

export const MID_EXTENSION = 'urn:ietf:params:rtp-hdrext:sdes:mid';
export const SEND_TIME_EXTENSION = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';

/** Parameters that are copied to an answer: names, numbers and separators. */
const SAFE_PARAMETERS = /^[\w=;\-/. ]{1,200}$/;

/**
 * Reads an offer that sim/media/room-offer.ts has accepted.
 *
 * @throws CallError `ERR_MALFORMED_DATA` without BUNDLE, RTCP multiplexing, Opus or VP8, and for an offer whose client
 *   does not start DTLS.
 */
export function readOffer(sdp: string): Offer {
  const [session = '', ...sections] = sdp.split(/^(?=m=)/m);
  const media = sections.map(readMedia);
  const bundled = /^a=group:BUNDLE (.+)$/m.exec(session)?.[1]?.trim().split(' ') ?? [];
  if (media.some(({ mid }) => !bundled.includes(mid))) throw malformed('the sections are not bundled');
  // The first bundled section has the transport of all.
  const first = sections[media.findIndex(({ mid }) => mid === bundled[0])] ?? '';
  const value = (name: string) => attribute(first, name) ?? attribute(session, name) ?? '';
  if (!['actpass', 'active'].includes(value('setup'))) throw malformed('the client does not start DTLS');
  const [hash = '', digest = ''] = value('fingerprint').split(' ');
  return {
    media,
    iceUfrag: value('ice-ufrag'),
    fingerprint: { hash: hash.toLowerCase(), value: digest.toUpperCase() },
  };
}

function readMedia(text: string): OfferedMedia {
  const kind = text.startsWith('m=audio') ? 'audio' : 'video';
  if (!/^a=rtcp-mux\s*$/m.test(text)) throw malformed(`the ${kind} section does not multiplex RTCP`);
  const [ssrc, rtxSsrc] = sourcesOf(text);
  return {
    kind,
    mid: safeMid(attribute(text, 'mid') ?? ''),
    direction: directionOf(text),
    codec: codecOf(text, kind),
    ssrc,
    rtxSsrc,
    midExtension: extensionOf(text, MID_EXTENSION),
    sendTimeExtension: extensionOf(text, SEND_TIME_EXTENSION),
  };
}

function codecOf(text: string, kind: MediaKind): Codec {
  const maps = [...text.matchAll(/^a=rtpmap:(\d{1,3}) (\S+)/gm)].map(([, type, name = '']) => ({
    type: Number(type),
    name,
  }));
  const payloadType = maps.find(({ name }) => CODECS[kind].test(name))?.type;
  if (payloadType === undefined || payloadType > 127) {
    throw malformed(`the ${kind} section has no ${kind === 'audio' ? 'Opus' : 'VP8'}`);
  }
  const parametersOf = (type: number) => new RegExp(String.raw`^a=fmtp:${type} (.+)$`, 'm').exec(text)?.[1]?.trim();
  const rtx = maps.find(({ type, name }) => /^rtx\//i.test(name) && parametersOf(type) === `apt=${payloadType}`);
  const parameters = parametersOf(payloadType) ?? '';
  return {
    payloadType,
    rtxPayloadType: rtx && rtx.type <= 127 ? rtx.type : null,
    parameters: SAFE_PARAMETERS.test(parameters) ? parameters : '',
  };
}

/** Returns the source of media and that of retransmissions. */
function sourcesOf(text: string): readonly [number | null, number | null] {
  const [, first, second] = /^a=ssrc-group:FID (\d{1,10}) (\d{1,10})/m.exec(text) ?? [];
  if (first !== undefined && second !== undefined) return [Number(first), Number(second)];
  const only = /^a=ssrc:(\d{1,10}) /m.exec(text)?.[1];
  return [only === undefined ? null : Number(only), null];
}

function extensionOf(text: string, uri: string): number | null {
  const line = [...text.matchAll(/^a=extmap:(\d{1,3})\S* (\S+)/gm)].find(([, , name]) => name === uri);
  const id = Number(line?.[1]);
  // Ids above 14 need the two-byte form (RFC 8285 §4.3), which the SFU does not send.
  return id >= 1 && id <= 14 ? id : null;
}

function safeMid(mid: string): string {
  if (!/^[\w.~-]{1,32}$/.test(mid)) throw malformed('a section has an unusable mid');
  return mid;
}

const directionOf = (text: string): MediaDirection => {
  const found = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(text)?.[1];
  return found === 'sendonly' || found === 'recvonly' || found === 'inactive' ? found : 'sendrecv';
};

const attribute = (text: string, name: string) =>
  new RegExp(String.raw`^a=${name}:(\S.*)$`, 'm').exec(text)?.[1]?.trim();

const malformed = (message: string) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message });
