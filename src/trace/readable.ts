/** The readable form of messages: an sdp is unpacked, without its secrets. */
import { unpackSdp } from '../protocol/sdp-codec.ts';

/** Lines of a session description that contain addresses or keys. */
const HIDDEN_LINES = /^a=(?:candidate|ice-pwd|fingerprint|crypto):?/;
const ADDRESS_LINES = /^(o|c)=/;

function readSdp(packed: string): readonly string[] | string {
  try {
    return unpackSdp(packed)
      .split(/\r?\n/)
      .filter((line) => line !== '' && !HIDDEN_LINES.test(line) && !ADDRESS_LINES.test(line));
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns the payload with its packed sdp as lines, under the name `session`. */
export function readable(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('sdp' in payload) || typeof payload.sdp !== 'string') {
    return payload;
  }
  const { sdp, ...rest } = payload;
  return { ...rest, session: readSdp(sdp) };
}
