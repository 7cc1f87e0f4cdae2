/**
 * The sdp on the wire: gzip (RFC 1952), then base64 (RFC 4648 §4).
 *
 * The codec is synchronous: an asynchronous one would let timers overtake the offer that they guard. Deflate is written
 * here for short texts: a library for any data takes 60 ms of a slow page to pack the first one (ADR 0034).
 */
import { CallError, ErrorCode } from './errors.ts';
import { gunzip } from './gzip/gunzip.ts';
import { gzip } from './gzip/gzip.ts';
import { LIMITS } from './limits.ts';

const CHUNK = 0x8000;

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
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

const malformed = (message: string, cause?: unknown) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message, cause });

/** Packs an sdp for the wire. */
export const packSdp = (sdp: string): string => toBase64(gzip(new TextEncoder().encode(sdp)));

/**
 * Unpacks an sdp from the wire.
 *
 * @throws CallError `ERR_MALFORMED_DATA` when the text is too long, is not base64, is not gzip, is cut short, inflates
 *   past {@link LIMITS.sdpBytes} or is not UTF-8 (§8, other failures). A fault of gzip has the text of zlib, such as
 *   "incorrect header check" or "invalid block type".
 */
export function unpackSdp(packed: string): string {
  if (packed.length > LIMITS.compressedSdpChars) throw malformed('the compressed sdp is too large');
  const bytes = gunzip(fromBase64(packed), LIMITS.sdpBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed('the sdp is not UTF-8', cause);
  }
}
