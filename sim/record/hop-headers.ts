/** Headers for the next hop only (RFC 9110 §7.6.1): they are not forwarded. */
import type { IncomingHttpHeaders } from 'node:http';

const HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers to forward, without those in `but`. Default: none. */
export function passedOn(headers: IncomingHttpHeaders, but: readonly string[] = []): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value !== undefined && !HOP.has(name) && !named.includes(name) && !but.includes(name),
    ),
  );
}
