/** Where the recorded server is, and how its addresses become the recorder's in what it says, so that clients stay. */

/** Where requests and channels are led. */
export interface Upstream {
  /** http or https, with a path where the server has one. */
  readonly http: URL;
  /** ws or wss. */
  readonly websocket: URL;
}

/** The websocket host of a server that names no other: the same place. */
export function websocketOf(http: URL): URL {
  const websocket = new URL(http);
  websocket.protocol = http.protocol === 'https:' ? 'wss:' : 'ws:';
  return websocket;
}

/** The path in front of every path of the server, without a slash at its end. */
export const prefixOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A pattern for the addresses at one place of the server, with either scheme; in JSON a slash may be escaped. What goes on
 * with another name or port, or with another path where the server has one, is another address.
 */
function patternOf({ place, prefix }: { readonly place: string; readonly prefix: string }, schemes: string): RegExp {
  const path = escaped(prefix).replaceAll('/', String.raw`\\?/`);
  return new RegExp(`(?:${schemes}):(\\\\?/\\\\?/)${escaped(place)}${path}(?![\\w.:%-])`, 'gi');
}

const placeOf = (url: URL) => ({ place: url.host, prefix: prefixOf(url) });

/** Replaces the addresses of the server by those of the recorder in a text that the server sends. */
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

/** The origin that a server sees: a page that came through the recorder is one of the server's own. */
export const originFor = (origin: string, own: URL, upstream: URL): string =>
  origin === own.origin ? upstream.origin : origin;
