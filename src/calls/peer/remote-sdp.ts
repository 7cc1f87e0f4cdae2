import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { unpackSdp } from '../../protocol/sdp-codec.ts';

/** More media sections than any call has, fewer than it takes to keep an engine busy. */
const SECTIONS = 16;
/** RFC 8122: weaker hashes can be forged. */
const FINGERPRINT = /^a=fingerprint:(?!sha-(?:256|384|512) )/im;

const refused = (message: string) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message });

/**
 * Unpacks a description of the other side and looks whether it is one of a call (S31): lines that end as they must, sound
 * and not too many sections, and an identity that cannot be forged. Whatever else is wrong with it the engine refuses.
 *
 * @throws CallError 1800208 saying what it lacks, or as {@link unpackSdp}.
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
