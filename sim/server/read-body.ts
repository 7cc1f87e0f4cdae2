/** Reading the body of a request that was admitted. */
import type { IncomingMessage } from 'node:http';
import type { SentFile } from '../../src/protocol/product/endpoint.ts';
import { SLOWEST_UPLOAD_BYTES_PER_MS } from '../../src/protocol/product/media.ts';
import { JSON_TYPE, type Admission } from '../budgets/admission.ts';
import type { BodyMemory } from './body-memory.ts';
import { parseBoundedJson } from './bounded-json.ts';
import { HttpFault } from './http-fault.ts';

/** A client has this long for a body, and longer for a large one: as long as it takes at the slowest rate. Milliseconds. */
const LEAST_BODY_MS = 10_000;
/** How long a client that found no memory for its body waits before it tries again. Seconds. */
const FULL_RETRY_S = 5;

/** The longest time for a body of this size. Milliseconds. */
export const bodyMs = (maxBytes: number): number => LEAST_BODY_MS + maxBytes / SLOWEST_UPLOAD_BYTES_PER_MS;

interface Reading {
  readonly admission: Admission;
  readonly memory: BodyMemory;
  /** The client's address. */
  readonly address: string;
}

/**
 * Reads JSON, and files where files are taken: a form or plain text needs no preflight, and any page could send it (S05). A file is
 * given on as it is, with its media type.
 *
 * @throws HttpFault 415 another media type, 413 more bytes than admitted, 408 too slow, 503 no memory, 400 not JSON.
 */
export async function readBody(request: IncomingMessage, { admission, ...reading }: Reading): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) return undefined;
  const { maxBytes, mediaTypes } = admission;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isJson = mediaTypes.includes(JSON_TYPE);
  if (!mediaTypes.includes(mediaType)) {
    const message = isJson ? 'The body must be application/json.' : 'The body is of no kind that is taken.';
    throw new HttpFault(415, message);
  }
  if (declared > maxBytes) throw new HttpFault(413, 'The body is too large.');
  const bytes = await readBytes(request, maxBytes, reading);
  if (!isJson) return { mediaType, bytes } satisfies SentFile;
  try {
    return parseBoundedJson(bytes);
  } catch {
    throw new HttpFault(400, 'The body is not JSON, or has too many parts.');
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
      deadline = setTimeout(() => reject(new HttpFault(408, 'The body came too slowly.')), bodyMs(maxBytes));
      request.once('end', resolve);
      request.once('close', () => reject(new HttpFault(400, 'The client went away before the end of its body.')));
      request.on('data', (chunk: Buffer) => {
        if (size + chunk.length > maxBytes) return reject(new HttpFault(413, 'The body is too large.'));
        if (!memory.take(address, chunk.length)) {
          return reject(new HttpFault(503, 'Too many bodies are being received.', { retryAfter: FULL_RETRY_S }));
        }
        size += chunk.length;
        chunks.push(chunk);
      });
    });
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(deadline);
    // What still comes is thrown away, and the answer closes the connection.
    request.removeAllListeners('data');
    memory.give(address, size);
  }
}
