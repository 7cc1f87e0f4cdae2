/** The server behind the recorder, and the headers that are forwarded to it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../src/common/clock.ts';
import type { Upstream } from './addresses.ts';
import type { Recording } from './recording.ts';

/** What the recorder needs to forward a request to the server. */
export interface UpstreamContext {
  readonly upstream: Upstream;
  readonly recording: Recording;
  readonly clock: Pick<Clock, 'after'>;
  /** Returns the recorder's address. It is known once the recorder listens. */
  readonly own: () => URL;
  /** Replaces the server's addresses in a text by the recorder's. */
  readonly rewrite: (text: string) => string;
}

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
