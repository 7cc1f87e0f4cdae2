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
export function readRemoteSdp(packed: string): string {
  const sdp = unpackSdp(packed);
  const sections = sdp.match(/^m=.*/gm) ?? [];
  if (/\0|\r(?!\n)|(?<!\r)\n/.test(sdp)) throw refused('the sdp has broken lines');
  if (!sections.some((line) => line.startsWith('m=audio '))) throw refused('the sdp has no sound');
  if (sections.length > SECTIONS) throw refused('the sdp has too many sections');
  if (!/^a=fingerprint:/im.test(sdp) || FINGERPRINT.test(sdp)) throw refused('the sdp has no safe fingerprint');
  return sdp;
}
