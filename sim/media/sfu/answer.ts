/** The answer of the SFU to an offer. */
import type { MediaDirection } from '../../../src/protocol/room-entities.ts';
import { type Fingerprint, MID_EXTENSION, type OfferedMedia, SEND_TIME_EXTENSION } from './offer.ts';

/** The sources that the SFU sends with in a section. */
export interface AnsweredSources {
  readonly ssrc: number;
  readonly rtxSsrc: number;
}

export interface AnsweredMedia {
  readonly offered: OfferedMedia;
  /** The direction as the client sees it. */
  readonly direction: MediaDirection;
  readonly sources: AnsweredSources;
}

/** An address and port at which the server receives. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

export interface AnswerParts {
  /** The number of answers of this endpoint before this one. */
  readonly version: number;
  readonly media: readonly AnsweredMedia[];
  readonly ice: { readonly ufrag: string; readonly password: string };
  readonly fingerprint: Fingerprint;
  readonly addresses: readonly ServerAddress[];
  /** The name that groups the sources of an endpoint (RFC 3550 §6.5.1). */
  readonly cname: string;
}

export const sends = (direction: MediaDirection): boolean => direction === 'sendrecv' || direction === 'sendonly';
export const receives = (direction: MediaDirection): boolean => direction === 'sendrecv' || direction === 'recvonly';

/** Returns the direction with what both permit. */
export function bothOf(one: MediaDirection, other: MediaDirection): MediaDirection {
  const isSending = sends(one) && sends(other);
  const isReceiving = receives(one) && receives(other);
  if (isSending) return isReceiving ? 'sendrecv' : 'sendonly';
  return isReceiving ? 'recvonly' : 'inactive';
}

const REVERSED: Readonly<Record<MediaDirection, MediaDirection>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

/** Writes an answer. The sections are in the order of the offer. */
export function writeAnswer(parts: AnswerParts): string {
  const { version, media } = parts;
  const lines = [
    'v=0',
    `o=- 1 ${version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    'a=ice-lite',
    `a=group:BUNDLE ${media.map(({ offered }) => offered.mid).join(' ')}`,
    'a=msid-semantic: WMS *',
    ...media.flatMap((one, at) => section(one, parts, at === 0)),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Returns the lines of a section. The first one has the candidates, since it has the transport of all. */
function section({ offered, direction, sources }: AnsweredMedia, parts: AnswerParts, isFirst: boolean): string[] {
  const { kind, mid, codec, midExtension, sendTimeExtension } = offered;
  const { payloadType, rtxPayloadType, parameters } = codec;
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${payloadType}${rtxPayloadType === null ? '' : ` ${rtxPayloadType}`}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${REVERSED[direction]}`,
    `a=ice-ufrag:${parts.ice.ufrag}`,
    `a=ice-pwd:${parts.ice.password}`,
    `a=fingerprint:${parts.fingerprint.hash} ${parts.fingerprint.value}`,
    'a=setup:passive',
    'a=rtcp-mux',
    ...(midExtension === null ? [] : [`a=extmap:${midExtension} ${MID_EXTENSION}`]),
    ...(sendTimeExtension === null ? [] : [`a=extmap:${sendTimeExtension} ${SEND_TIME_EXTENSION}`]),
    `a=rtpmap:${payloadType} ${kind === 'audio' ? 'opus/48000/2' : 'VP8/90000'}`,
    ...(parameters === '' ? [] : [`a=fmtp:${payloadType} ${parameters}`]),
    ...(kind === 'audio' ? [] : videoFeedback(payloadType)),
    ...(rtxPayloadType === null
      ? []
      : [`a=rtpmap:${rtxPayloadType} rtx/90000`, `a=fmtp:${rtxPayloadType} apt=${payloadType}`]),
    ...(receives(direction) ? sourceLines(sources, { kind, cname: parts.cname, hasRtx: rtxPayloadType !== null }) : []),
    ...(isFirst ? candidateLines(parts.addresses) : []),
  ];
}

const videoFeedback = (payloadType: number) =>
  ['goog-remb', 'ccm fir', 'nack', 'nack pli'].map((name) => `a=rtcp-fb:${payloadType} ${name}`);

/** Each source has its stream: wrtc refuses a group of sources without one. */
function sourceLines(
  { ssrc, rtxSsrc }: AnsweredSources,
  { kind, cname, hasRtx }: { readonly kind: string; readonly cname: string; readonly hasRtx: boolean },
): string[] {
  const msid = `${cname} ${kind}`;
  return [
    `a=msid:${msid}`,
    ...(hasRtx ? [`a=ssrc-group:FID ${ssrc} ${rtxSsrc}`] : []),
    ...(hasRtx ? [ssrc, rtxSsrc] : [ssrc]).flatMap((one) => [
      `a=ssrc:${one} cname:${cname}`,
      `a=ssrc:${one} msid:${msid}`,
    ]),
  ];
}

/** Candidates of type host (RFC 8445 §5.1.2): an earlier address has a higher priority. */
const candidateLines = (addresses: readonly ServerAddress[]) => [
  ...addresses.map(({ address, port }, at) => {
    const priority = 126 * 2 ** 24 + (65_535 - at) * 2 ** 8 + 255;
    return `a=candidate:${at + 1} 1 udp ${priority} ${address} ${port} typ host`;
  }),
  'a=end-of-candidates',
];
