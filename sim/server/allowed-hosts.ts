/** The check of the Host and Origin headers of a request (S02, S03, S05). */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The allowed hosts and origins of one server. */
export interface AllowedHosts {
  /** Names that the server answers to, without port, besides those of its machine. */
  readonly hosts: ReadonlySet<string>;
  /** Whether the server listens at every address of its machine, and answers to any address. */
  readonly anyAddress: boolean;
  /** Origins whose pages may send requests. Null: those of this machine, on any port. */
  readonly origins: ReadonlySet<string> | null;
  /** Whether pages that this server serves itself may send requests too, whatever its port. */
  readonly ownPages: boolean;
}

/** Returns whether this is a name or an address of this machine alone. An IPv6 address may have brackets. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** Returns whether a server on this host listens at every address of its machine. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Returns the host as a URL writes it: an IPv6 address in brackets. */
export const urlHost = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * Returns the allowed hosts and origins of a server on this host.
 * @param hosts - further names of the server.
 * @param origins - the only origins whose pages may send requests. Default: those of this machine.
 * @param ownPages - whether pages that the server serves itself may too. It serves them without TLS.
 */
export function allowedHostsOf(
  host: string,
  hosts: readonly string[] = [],
  origins?: readonly string[],
  ownPages = false,
): AllowedHosts {
  const named = [host, ...hosts].filter((name) => !isWildcard(name)).map((name) => urlHost(name).toLowerCase());
  return {
    hosts: new Set(named),
    anyAddress: isWildcard(host),
    origins: origins ? new Set(origins) : null,
    ownPages,
  };
}

/**
 * Returns whether the Host header names this server. A page elsewhere can make its name resolve to this server, but
 * cannot change its Host header (S02). An IP address is no name.
 */
export function isHostAllowed({ hosts, anyAddress }: AllowedHosts, { headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return hosts.has(host) || isLoopback(host) || (anyAddress && isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0);
}

/**
 * Returns whether a page of this origin may send requests to an allowed host. A client without an Origin header is no
 * browser, and needs a token like every client.
 */
export function isOriginAllowed({ origins, ownPages }: AllowedHosts, { headers }: IncomingMessage): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  if (ownPages && isOwnPage(origin, headers.host)) return true;
  if (origins) return origins.has(origin);
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: exact } = new URL(origin);
  return ['http:', 'https:'].includes(protocol) && isLoopback(hostname) && exact === origin;
}

/** The names of one server that listens on the loopback address. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether the page of an origin came from a server at this host, without TLS. Loopback names are equal. */
function isOwnPage(origin: string, host = ''): boolean {
  if (origin === `http://${host}`) return true;
  if (!URL.canParse(origin) || !URL.canParse(`http://${host}`)) return false;
  const [page, server] = [new URL(origin), new URL(`http://${host}`)];
  const isSamePort = page.origin === origin && page.protocol === 'http:' && page.port === server.port;
  return isSamePort && [page, server].every(({ hostname }) => LOOPBACK_NAMES.includes(hostname));
}
