import { unzipSync } from 'node:zlib';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { UnpackSdp } from '../exchange/ports.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

const malformed = (message: string, cause?: unknown) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message, cause });

/** Returns why zlib did not read the bytes, in the words of the library's codec. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'the sdp inflates past its bound';
  if (code === 'Z_BUF_ERROR') return 'the compressed sdp is cut short';
  return error instanceof Error ? error.message : 'the compressed sdp cannot be read';
}

function fromBase64(text: string): Buffer {
  try {
    // `Buffer` also reads what is no base64, and `atob` refuses it as the codec of the library does.
    return Buffer.from(atob(text), 'latin1');
  } catch (cause) {
    throw malformed('the sdp is not base64', cause);
  }
}

/**
 * Unpacks an sdp with the zlib of Node, which is faster than zlib in JavaScript. It refuses what the codec of the
 * library refuses, with the same texts (§8, other failures). It also refuses data after the end of the gzip, except
 * another gzip.
 *
 * @throws CallError `ERR_MALFORMED_DATA` when the text is too long, is not base64, is not gzip, is cut short, inflates
 *   past `LIMITS.sdpBytes` or is not UTF-8.
 */
export const nodeUnpackSdp: UnpackSdp = (packed) => {
  if (packed.length > LIMITS.compressedSdpChars) throw malformed('the compressed sdp is too large');
  const zipped = fromBase64(packed);
  let bytes: Buffer;
  try {
    bytes = unzipSync(zipped, { maxOutputLength: LIMITS.sdpBytes });
  } catch (cause) {
    throw malformed(reasonOf(cause), cause);
  }
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw malformed('the sdp is not UTF-8', cause);
  }
};
