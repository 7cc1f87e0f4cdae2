/** The answers that permit pages of an allowed origin to send requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HEADERS } from '../../src/protocol/http.ts';
import { HEARTBEAT_HEADER } from '../../src/protocol/product/push.ts';

/** The methods that requests may have. */
export const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const ALLOWED_HEADERS = [
  'content-type',
  'authorization',
  'idempotency-key',
  HEARTBEAT_HEADER,
  ...Object.values(HEADERS),
].join(', ');

/**
 * Sets the headers for the page that sent an allowed request. Answers the request itself when it only asks for
 * permission. Returns whether it did.
 */
export function answersPreflight({ headers: { origin }, method }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('vary', 'Origin');
  if (origin !== undefined) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'retry-after, x-request-id');
  }
  if (method !== 'OPTIONS') return false;
  response.setHeader('access-control-allow-methods', METHODS);
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
  response.setHeader('access-control-max-age', '600');
  response.writeHead(204).end();
  return true;
}
