/** The check of an endpoint's offer, which every implementation of the media of rooms makes first. */
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { MEDIA_LIMITS } from '../budgets/media-budgets.ts';

/** A media section of an offer. */
export interface OfferedSection {
  readonly kind: 'audio' | 'video';
  readonly mid: string;
}

/** Weaker hashes than these can be forged (RFC 8122). */
const WEAK_FINGERPRINT = /^a=fingerprint:(?!sha-(?:256|384|512) )/im;

const CREDENTIALS = ['ice-ufrag', 'ice-pwd', 'fingerprint'] as const;

/**
 * Returns the sections of an offer: at most one of each kind.
 *
 * @param former - the sections of the former offer. A later one begins with them (RFC 8829 §5.2.2).
 * @throws CallError `ERR_MALFORMED_DATA` for an offer that is too large, is not a session description, has other
 *   sections or broken lines, or lacks the credentials of ICE or a safe fingerprint of DTLS.
 */
export function readRoomOffer(sdp: string, former: readonly OfferedSection[] = []): readonly OfferedSection[] {
  if (sdp.length > MEDIA_LIMITS.offerBytes.most) throw malformed('the offer is too large');
  if (/\0|\r(?!\n)|(?<!\r)\n/.test(sdp)) throw malformed('the offer has broken lines');
  if (WEAK_FINGERPRINT.test(sdp)) throw malformed('the offer has a weak fingerprint');
  const [session = '', ...media] = sdp.split(/^(?=m=)/m);
  if (!session.startsWith('v=0')) throw malformed('the offer is not a session description');
  if (media.length === 0 || media.length > MEDIA_LIMITS.offerSections.most)
    throw malformed('an offer has one section of audio, of video, or of both');
  const sections = media.map((text): OfferedSection => {
    const kind = /^m=(audio|video) /.exec(text)?.[1];
    const mid = attribute(text, 'mid');
    if ((kind !== 'audio' && kind !== 'video') || mid === undefined) throw malformed('a section is not audio or video');
    const lacking = CREDENTIALS.find((name) => (attribute(text, name) ?? attribute(session, name)) === undefined);
    if (lacking !== undefined) throw malformed(`a section has no ${lacking}`);
    return { kind, mid };
  });
  const [first, second] = sections;
  if (first?.kind === second?.kind || first?.mid === second?.mid) throw malformed('two sections are the same');
  const isLater = former.every(({ kind, mid }, at) => sections[at]?.kind === kind && sections[at].mid === mid);
  if (!isLater) throw malformed('the sections of the former offer have changed');
  return sections;
}

const attribute = (text: string, name: string) =>
  new RegExp(String.raw`^a=${name}:(\S.*)$`, 'm').exec(text)?.[1]?.trim();

const malformed = (message: string) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message });
