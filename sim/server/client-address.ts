/** The address of the client behind a connection. */
import { BlockList, isIP, isIPv6 } from 'node:net';

/** A connection as the server sees it. */
export interface SeenConnection {
  /** The address at the other end of the TCP connection. */
  readonly remoteAddress?: string | undefined;
  /** The value of the header `X-Forwarded-For`. */
  readonly forwardedFor?: string | undefined;
}

/** A reader of client addresses. */
export interface ClientAddresses {
  /**
   * Returns the client's address: IPv4, or the first 64 bits of IPv6, which is what one customer has. Empty if it is
   * unknown.
   */
  of(connection: SeenConnection): string;
  /** Returns whether many clients may be behind this end of a TCP connection. */
  isTrustedProxy(connection: Pick<SeenConnection, 'remoteAddress'>): boolean;
}

/**
 * Creates a reader of client addresses. `X-Forwarded-For` counts only as far as trusted proxies wrote it: the client
 * is the last address that is not a trusted proxy's.
 * @param trustedProxies - addresses, or networks as `10.0.0.0/8`. Default: none.
 * @throws RangeError naming the first entry that is neither.
 */
export function createClientAddresses(trustedProxies: readonly string[] = []): ClientAddresses {
  const trusted = trustedList(trustedProxies);
  const isTrusted = (address: string): boolean => isIP(address) !== 0 && trusted.check(address, family(address));
  return {
    of({ remoteAddress, forwardedFor = '' }) {
      const hops = [...forwardedFor.split(','), remoteAddress ?? ''].map((hop) => plain(hop.trim()));
      let client = hops.pop() ?? '';
      while (isTrusted(client)) {
        const before = hops.pop() ?? '';
        if (isIP(before) === 0) break;
        client = before;
      }
      return isIPv6(client) ? networkOf(client) : client;
    },
    isTrustedProxy: ({ remoteAddress = '' }) => isTrusted(plain(remoteAddress)),
  };
}

function trustedList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const most = isIPv6(address) ? 128 : 32;
    const bits = Number(prefix ?? most);
    if (isIP(address) === 0 || rest.length > 0 || prefix === '' || !Number.isInteger(bits) || bits < 0 || bits > most) {
      throw new RangeError(`A trusted proxy must be an IP address or a network as 10.0.0.0/8, not "${entry}".`);
    }
    list.addSubnet(address, bits, family(address));
  }
  return list;
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Returns the IPv4 address behind an IPv6 form such as `::ffff:192.0.2.1`. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Returns the first 64 bits of an IPv6 address. Loopback stays as it is. */
function networkOf(address: string): string {
  if (address === '::1') return address;
  const [head = '', tail] = address.split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
