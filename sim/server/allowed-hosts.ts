/** Who may knock: the Host and Origin of a request (S02, S03, S05). */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The allowedHosts of one server. */
export interface Doors {
  /** Names this server answers to, without port, beside those of its machine. */
  readonly hosts: ReadonlySet<string>;
  /** It listens at every address of its machine, and answers to any address. */
  readonly anyAddress: boolean;
  /** Pages that may ask; null: those of this machine, on any port. */
  readonly origins: ReadonlySet<string> | null;
}

/** Whether this is a name or an address of this machine alone; an address of IPv6 with or without its brackets. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** Whether a server on this host listens at every address of its machine. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** An IPv6 address as it stands in a url. */
export const urlHost = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * The allowedHosts of a server on this host.
 *
 * @param hosts - further names it is reached by.
 * @param origins - the only origins that may ask; those of this machine when absent.
 */
export function doorsOf(host: string, hosts: readonly string[] = [], origins?: readonly string[]): Doors {
  const named = [host, ...hosts].filter((name) => !isWildcard(name)).map((name) => urlHost(name).toLowerCase());
  return {
    hosts: new Set(named),
    anyAddress: isWildcard(host),
    origins: origins ? new Set(origins) : null,
  };
}

/**
 * Whether the Host header names this server: a page elsewhere can make its name point here, not its header (S02). An
 * address is no name.
 */
export function isHostAllowed({ hosts, anyAddress }: Doors, { headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return hosts.has(host) || isLoopback(host) || (anyAddress && isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0);
}

/** Whether a page of this origin may ask; who has none is no browser, and needs a token like everybody. */
export function isOriginAllowed({ origins }: Doors, { headers }: IncomingMessage): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  if (origins) return origins.has(origin);
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: exact } = new URL(origin);
  return ['http:', 'https:'].includes(protocol) && isLoopback(hostname) && exact === origin;
}
