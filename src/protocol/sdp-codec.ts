/**
 * The sdp on the wire: gzip (RFC 1952), then base64 (RFC 4648 §4).
 *
 * The codec is synchronous: an asynchronous one would let timers overtake the offer that they guard. Inflating stops at
 * the bound, so a few hundred kilobytes cannot become a few hundred megabytes. It uses the functions of zlib in pako:
 * the classes around them weigh 1.4 kB more, gzipped.
 */
import { ZStream, zlibDeflate, zlibDeflateInit2, zlibInflate, zlibInflateInit2 } from 'pako';
import { CallError, ErrorCode } from './errors.ts';
import { LIMITS } from './limits.ts';

/** The bits of the window of zlib, which ask for gzip, and for reading any header of deflate. */
const GZIP_WINDOW = 15 + 16;
const ANY_WINDOW = 15 + 32;
const Z_FINISH = 4;
const Z_DEFLATED = 8;
const Z_STREAM_END = 1;
const Z_DATA_ERROR = -3;

const toBase64 = (bytes: Uint8Array): string =>
  btoa(bytes.reduce((binary, byte) => binary + String.fromCharCode(byte), ''));

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch (cause) {
    throw malformed('the sdp is not base64', cause);
  }
}

const malformed = (message: string, cause?: unknown) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message, cause });

/** Returns a stream of zlib from all bytes of the input to at most `room` bytes. */
function streamOf(input: Uint8Array, room: number): ZStream {
  const stream = new ZStream();
  stream.input = input;
  stream.avail_in = input.length;
  stream.output = new Uint8Array(room);
  stream.avail_out = room;
  return stream;
}

/** Packs an sdp for the wire. */
export function packSdp(sdp: string): string {
  const bytes = new TextEncoder().encode(sdp);
  // Deflate adds less than a quarter to what it cannot compress.
  const stream = streamOf(bytes, bytes.length + (bytes.length >> 2) + 64);
  zlibDeflateInit2(stream, 6, Z_DEFLATED, GZIP_WINDOW, 8, 0);
  zlibDeflate(stream, Z_FINISH);
  return toBase64(stream.output.subarray(0, stream.next_out));
}

/**
 * Unpacks an sdp from the wire.
 *
 * @throws CallError `ERR_MALFORMED_DATA` when the text is too long, is not base64, is not gzip, is cut short, inflates
 *   past {@link LIMITS.sdpBytes} or is not UTF-8 (§8, other failures). A fault of gzip has the text of zlib, such as
 *   "incorrect header check" or "invalid block type".
 */
export function unpackSdp(packed: string): string {
  if (packed.length > LIMITS.compressedSdpChars) throw malformed('the compressed sdp is too large');
  const stream = streamOf(fromBase64(packed), LIMITS.sdpBytes);
  zlibInflateInit2(stream, ANY_WINDOW);
  const status = zlibInflate(stream, Z_FINISH);
  if (status === Z_DATA_ERROR) throw malformed(stream.msg);
  if (status !== Z_STREAM_END) {
    throw malformed(stream.avail_out === 0 ? 'the sdp inflates past its bound' : 'the compressed sdp is cut short');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(stream.output.subarray(0, stream.next_out));
  } catch (cause) {
    throw malformed('the sdp is not UTF-8', cause);
  }
}
