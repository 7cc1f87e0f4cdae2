/** The reading of the body of an admitted request. */
import type { IncomingMessage } from 'node:http';
import type { SentFile } from '../../src/protocol/endpoint.ts';
import { SLOWEST_UPLOAD_BYTES_PER_MS } from '../../src/protocol/product/media.ts';
import { refuseRequest } from '../http/http-refusal.ts';
import { JSON_TYPE, type Admission } from '../http/request.ts';
import type { BodyMemory } from './body-memory.ts';
import { parseBoundedJson } from './bounded-json.ts';

/**
 * The least time limit for a body. A large body has longer: as long as it takes at the slowest rate. Milliseconds.
 */
const LEAST_BODY_MS = 10_000;
/** How long a client waits before it tries again when there was no memory for its body. Seconds. */
const FULL_RETRY_S = 5;

/** Returns the time limit for a body of this size. Milliseconds. */
export const bodyMs = (maxBytes: number): number => LEAST_BODY_MS + maxBytes / SLOWEST_UPLOAD_BYTES_PER_MS;

interface Reading {
  readonly admission: Admission;
  readonly memory: BodyMemory;
  /** The client's address. */
  readonly address: string;
}

/**
 * Reads JSON, or a file if the path accepts files. A form or plain text needs no preflight, so any page could send it
 * (S05). A file is returned as it is, with its media type.
 * @throws HttpRefusal 415 another media type, 413 more bytes than admitted, 408 too slow, 503 no memory, 400 not JSON.
 */
export async function readBody(request: IncomingMessage, { admission, ...reading }: Reading): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) return undefined;
  const { maxBytes, mediaTypes } = admission;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isJson = mediaTypes.includes(JSON_TYPE);
  if (!mediaTypes.includes(mediaType)) {
    const message = isJson
      ? 'The body must be application/json.'
      : 'This path does not accept a body of this media type.';
    throw refuseRequest(415, message);
  }
  if (declared > maxBytes) throw refuseRequest(413, 'The body is too large.');
  const bytes = await readBytes(request, maxBytes, reading);
  if (!isJson) return { mediaType, bytes } satisfies SentFile;
  try {
    return parseBoundedJson(bytes);
  } catch {
    throw refuseRequest(400, 'The body is not JSON, or has too many parts.');
  }
}

async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  { memory, address }: Omit<Reading, 'admission'>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let deadline: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      deadline = setTimeout(() => reject(refuseRequest(408, 'The body came too slowly.')), bodyMs(maxBytes));
      request.once('end', resolve);
      request.once('close', () =>
        reject(refuseRequest(400, 'The client closed the connection before the end of the body.')),
      );
      request.on('data', (chunk: Buffer) => {
        if (size + chunk.length > maxBytes) return reject(refuseRequest(413, 'The body is too large.'));
        if (!memory.take(address, chunk.length)) {
          return reject(refuseRequest(503, 'The server receives too many bodies. Try again later.', FULL_RETRY_S));
        }
        size += chunk.length;
        chunks.push(chunk);
      });
    });
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(deadline);
    // The rest of the body is discarded, and the answer closes the connection.
    request.removeAllListeners('data');
    memory.give(address, size);
  }
}
