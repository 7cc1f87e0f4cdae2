import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { unpackSdp } from '../../protocol/sdp-codec.ts';

/** The most media sections: more than any call has, and too few to keep an engine busy. */
const SECTIONS = 16;
/** Weaker hashes than these can be forged (RFC 8122). */
const FINGERPRINT = /^a=fingerprint:(?!sha-(?:256|384|512) )/im;

const refused = (message: string) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message });

/**
 * Unpacks a description of the other side and checks that it belongs to a call (S31): valid line ends, audio, few
 * sections, and a safe fingerprint. The engine refuses any other fault.
 *
 * @throws CallError `ERR_MALFORMED_DATA` with what is missing, or as {@link unpackSdp}.
 */
export const readRemoteSdp = (packed: string): string =>
  readSafeSdp(packed, (kinds) => (kinds.includes('audio') ? null : 'the sdp has no sound'));

/**
 * Unpacks the answer to an offer of these sections, and checks it as {@link readRemoteSdp} does. It has the sections of
 * the offer, in their order (RFC 8829 §5.3.1).
 *
 * @throws CallError as readRemoteSdp.
 */
export const readAnswer = (packed: string, offered: readonly string[]): string =>
  readSafeSdp(packed, (kinds) =>
    kinds.join() === offered.join() ? null : 'the answer has other sections than the offer',
  );

/** @param faultOf - returns the fault of the kinds of the sections. Null without one. */
function readSafeSdp(packed: string, faultOf: (kinds: readonly string[]) => string | null): string {
  const sdp = unpackSdp(packed);
  const kinds = (sdp.match(/^m=.*/gm) ?? []).map((line) => line.slice(2).split(' ', 1).join());
  if (/\0|\r(?!\n)|(?<!\r)\n/.test(sdp)) throw refused('the sdp has broken lines');
  const fault = kinds.length > SECTIONS ? 'the sdp has too many sections' : faultOf(kinds);
  if (fault !== null) throw refused(fault);
  if (!/^a=fingerprint:/im.test(sdp) || FINGERPRINT.test(sdp)) throw refused('the sdp has no safe fingerprint');
  return sdp;
}
