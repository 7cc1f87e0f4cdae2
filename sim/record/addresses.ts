/**
 * The address of the recorded server, and the replacement of its addresses, so that clients stay with the recorder.
 */

/** The addresses to which the recorder forwards requests and channels. */
export interface Upstream {
  /** An http or https URL, with a path if the server has one. */
  readonly http: URL;
  /** A ws or wss URL. */
  readonly websocket: URL;
}

/** Returns the websocket URL for a server that names no other: the same host and path. */
export function websocketOf(http: URL): URL {
  const websocket = new URL(http);
  websocket.protocol = http.protocol === 'https:' ? 'wss:' : 'ws:';
  return websocket;
}

/** Returns the path in front of every path of the server, without a slash at its end. */
export const prefixOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Returns a pattern for the addresses at one place of the server, with either scheme. In JSON a slash may be escaped.
 * An address that continues with another name or port is another address. So is one with another path, if the server
 * has one.
 */
function patternOf({ place, prefix }: { readonly place: string; readonly prefix: string }, schemes: string): RegExp {
  const path = escaped(prefix).replaceAll('/', String.raw`\\?/`);
  return new RegExp(`(?:${schemes}):(\\\\?/\\\\?/)${escaped(place)}${path}(?![\\w.:%-])`, 'gi');
}

const placeOf = (url: URL) => ({ place: url.host, prefix: prefixOf(url) });

/** Returns a function that replaces the server's addresses in a text by the recorder's. */
export function addressRewriter({ http, websocket }: Upstream, own: URL): (text: string) => string {
  const patterns: readonly (readonly [RegExp, string])[] = [
    [patternOf(placeOf(http), 'https?'), 'http'],
    [patternOf(placeOf(websocket), 'wss?'), 'ws'],
  ];
  return (text) =>
    patterns.reduce(
      (sofar, [pattern, scheme]) =>
        sofar.replace(pattern, (_address, slashes: string) => `${scheme}:${slashes}${own.host}`),
      text,
    );
}

/** Returns the origin that the server sees: a page that the recorder served has the server's own origin. */
export const originFor = (origin: string, own: URL, upstream: URL): string =>
  origin === own.origin ? upstream.origin : origin;
