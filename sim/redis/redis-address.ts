/** The addresses of Redis in a setting. */
import { isIP } from 'node:net';

/** How to connect to one server. */
export interface RedisServerAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
}

export interface RedisAddress {
  /** True for a Redis Cluster. */
  readonly isCluster: boolean;
  /** One server, or some of the servers of a cluster. */
  readonly servers: readonly [RedisServerAddress, ...RedisServerAddress[]];
}

/** An address that is none. Its message has no part of the address, which may contain a password. */
export class RedisAddressError extends Error {
  override readonly name = 'RedisAddressError';
}

const PORT = 6_379;
const FORM = 'redis://USER:PASSWORD@HOST:PORT, rediss:// for TLS, or several of them with commas for a Redis Cluster';

/**
 * Parses `redis://` and `rediss://`. Several addresses with commas are servers of one Redis Cluster. The later ones take
 * what they do not state from the first: `redis://:secret@one:6379,two:6379`.
 *
 * @throws RedisAddressError for any other text.
 */
export function parseRedisAddress(text: string): RedisAddress {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [first, ...others] = parts;
  if (first === undefined) throw new RedisAddressError(`no address: expected ${FORM}`);
  const one = parse(first, 1);
  const scheme = one.tls ? 'rediss' : 'redis';
  const rest = others.map((part, at) => {
    const { username, password, ...place } = parse(part.includes('://') ? part : `${scheme}://${part}`, at + 2);
    return { ...place, ...credentials(username ?? one.username, password ?? one.password) };
  });
  const isCluster = rest.length > 0;
  if (isCluster && [one, ...rest].some(({ db }) => db !== 0)) {
    throw new RedisAddressError('a Redis Cluster has only database 0');
  }
  return { isCluster, servers: [one, ...rest] };
}

function parse(text: string, number: number): RedisServerAddress {
  const which = `address ${number}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // The error of URL contains the text.
    throw new RedisAddressError(`${which} is no URL: expected ${FORM}`);
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') {
    throw new RedisAddressError(`${which} has the scheme ${url.protocol}//: expected ${FORM}`);
  }
  if (url.hostname === '') throw new RedisAddressError(`${which} has no host: expected ${FORM}`);
  if (url.search !== '' || url.hash !== '') throw new RedisAddressError(`${which} has a part after ? or #`);
  const db = url.pathname.slice(1);
  if (!/^\d*$/.test(db)) throw new RedisAddressError(`${which} has a path that is no number of a database`);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? PORT : Number(url.port),
    db: Number(db),
    tls: url.protocol === 'rediss:',
    ...credentials(decoded(url.username, which), decoded(url.password, which)),
  };
}

const credentials = (username: string | undefined, password: string | undefined) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
});

function decoded(text: string, which: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text);
  } catch {
    throw new RedisAddressError(`${which} has a user or password that is not percent-encoded`);
  }
}

/** The options of ioredis that connect to a server. */
export interface RedisServerOptions {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  /** Absent without TLS. */
  readonly tls?: { readonly servername?: string };
  readonly username?: string;
  readonly password?: string;
}

/** Returns the options of TLS for a host. An IP address is no name of a server (RFC 6066 §3). */
export const tlsOf = (host: string): { readonly servername?: string } => (isIP(host) === 0 ? { servername: host } : {});

/** Returns the options of ioredis that connect to a server. */
export function optionsOf({ host, port, db, tls, username, password }: RedisServerAddress): RedisServerOptions {
  return { host, port, db, ...(tls && { tls: tlsOf(host) }), ...credentials(username, password) };
}
