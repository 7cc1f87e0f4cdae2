/**
 * The media path of one call through user-space sockets, so that a test can break it.
 *
 * Signalling replaces the address of each UDP candidate by a proxy for it. Each leg knows only proxies of the other
 * one, so every packet between them passes through a proxy, whichever pair ICE chooses. Candidates that a proxy cannot
 * serve are dropped (TCP, names ending in .local, link-local addresses). One of them would bypass the cut.
 */
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { MediaLeg, MediaPath } from '../exchange/calls/media-path.ts';
import { parseCandidate, redirectCandidate, stripCandidates } from './candidate.ts';
import { openUdpProxy, type UdpProxy } from './udp-proxy.ts';

/** The packets that a path has seen since it was made. */
export interface PathStats {
  readonly passed: number;
  readonly dropped: number;
  readonly proxies: number;
  readonly sockets: number;
}

/** The effect of a path on packets: the share from 0 to 1 that is lost, and the round-trip delay with its variation. */
export interface PathQuality {
  readonly lossRate: number;
  readonly rttMs: number;
  readonly jitterMs: number;
}

export interface PathProxy extends MediaPath {
  /** Rewrites a session description. Synchronous. */
  rewriteSdp(sdp: string, from: MediaLeg): string;
  /** Drops all packets from now on. */
  cut(): void;
  /** Forwards all packets again. */
  restore(): void;
  /** Applies a quality to packets from now on. Undefined removes it. */
  setQuality(quality: PathQuality | undefined): void;
  stats(): PathStats;
}

/** Creates a path. @param random - decides which packets are lost, and the delay of each. */
export function createPathProxy(random: () => number = Math.random): PathProxy {
  const proxies = new Map<string, Promise<UdpProxy | null>>();
  const opened: UdpProxy[] = [];
  let isCut = false;
  let quality: PathQuality | undefined;
  let disposed = false;
  let passed = 0;
  let dropped = 0;

  const delayOf = () => {
    const isLost = isCut || (quality !== undefined && random() < quality.lossRate);
    if (isLost) dropped += 1;
    else passed += 1;
    if (isLost) return null;
    return quality === undefined ? 0 : quality.rttMs / 2 + random() * quality.jitterMs;
  };

  const proxyFor = (leg: MediaLeg, address: string, port: number): Promise<UdpProxy | null> => {
    // One address may come in several candidates: of audio and video, and again after an ICE restart.
    const key = `${leg} ${address} ${port}`;
    const known = proxies.get(key);
    if (known) return known;
    const proxy = openUdpProxy({ address, port }, reachableHost(address), delayOf).then(
      (one) => {
        if (disposed) {
          one.close();
          return null;
        }
        opened.push(one);
        return one;
      },
      () => null,
    );
    proxies.set(key, proxy);
    return proxy;
  };

  return {
    rewriteSdp: (sdp) => stripCandidates(sdp),
    async rewriteCandidate(candidate, from) {
      // The empty candidate ends the list and has no address.
      if (candidate === '' || disposed) return disposed ? null : candidate;
      const parsed = parseCandidate(candidate);
      if (!parsed || parsed.protocol !== 'udp' || !isProxied(parsed.address)) return null;
      const proxy = await proxyFor(from, parsed.address, parsed.port);
      return proxy && redirectCandidate(candidate, proxy.address.address, proxy.address.port);
    },
    cut() {
      isCut = true;
    },
    restore() {
      isCut = false;
    },
    setQuality(next) {
      quality = next;
    },
    stats: () => ({
      passed,
      dropped,
      proxies: opened.length,
      sockets: opened.reduce((sum, one) => sum + one.sockets, 0),
    }),
    dispose() {
      disposed = true;
      for (const one of opened) one.close();
      opened.length = 0;
    },
  };
}

function isProxied(address: string): boolean {
  return isIP(address) !== 0 && !address.toLowerCase().startsWith('fe80:');
}

/**
 * Returns the local address that a proxy listens on. It is the candidate's own address if this machine has it, since
 * the peers reach that one: Chromium does not send to 127.0.0.1 when it gathered 192.0.2.2. Otherwise it is the first
 * external address of that family.
 */
function reachableHost(address: string): string {
  const family = isIPv6(address) ? 'IPv6' : 'IPv4';
  const local = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => entry.family === family);
  if (local.some((entry) => entry.address === address)) return address;
  const outside = local.find((entry) => !entry.internal && !entry.address.startsWith('fe80:'));
  return outside?.address ?? (family === 'IPv6' ? '::1' : '127.0.0.1');
}
