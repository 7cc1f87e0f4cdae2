/**
 * The sdp on the wire: gzip (RFC 1952), then base64 (RFC 4648 §4).
 *
 * The codec is synchronous: an asynchronous one would let timers overtake the offer that they guard. Inflating stops at
 * the bound, so a few hundred kilobytes cannot become a few hundred megabytes.
 */
import { gzip, Inflate } from 'pako';
import { CallError, ErrorCode } from './errors.ts';
import { LIMITS } from './limits.ts';

const CHUNK = 0x8000;
const Z_BUF_ERROR = -5;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch (cause) {
    throw malformed('the sdp is not base64', cause);
  }
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

const malformed = (message: string, cause?: unknown) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message, cause });

/** Packs an sdp for the wire. */
export function packSdp(sdp: string): string {
  return toBase64(gzip(sdp));
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
  const bytes = fromBase64(packed);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let ended = false;
  const inflate = new Inflate({ chunkSize: CHUNK });
  inflate.onData = (chunk) => {
    size += chunk.length;
    if (size > LIMITS.sdpBytes) throw malformed('the sdp inflates past its bound');
    chunks.push(chunk);
  };
  inflate.onEnd = (status) => {
    ended = status === 0;
  };
  inflate.push(bytes, true);
  // zlib calls the end of its input a buffer error.
  if (inflate.err === Z_BUF_ERROR || (inflate.err === 0 && !ended)) throw malformed('the compressed sdp is cut short');
  if (inflate.err !== 0) throw malformed(inflate.msg);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole);
  } catch (cause) {
    throw malformed('the sdp is not UTF-8', cause);
  }
}
