/**
 * The media path of one call, led through user-space sockets so that it can be broken on purpose.
 *
 * Each UDP candidate that passes through signalling is replaced by the address of a proxy for it. The legs then know only
 * proxies of each other, so every packet between them comes by here, whichever pair ICE chooses. Candidates that cannot be
 * led through (TCP, names ending in .local, link-local addresses) are dropped: one of them left over would be a way around
 * the cut.
 */
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { MediaLeg, MediaPath } from '../exchange/calls/media-path.ts';
import { parseCandidate, redirectCandidate, stripCandidates } from './candidate.ts';
import { openUdpProxy, type UdpProxy } from './udp-proxy.ts';

/** Packets seen by a path since it was made. */
export interface PathStats {
  readonly passed: number;
  readonly dropped: number;
  readonly proxies: number;
  readonly sockets: number;
}

/** What a path does to packets: a share of 0 to 1 is lost, the others take this long there and back, more or less. */
export interface PathQuality {
  readonly lossRate: number;
  readonly rttMs: number;
  readonly jitterMs: number;
}

export interface PathProxy extends MediaPath {
  /** At once. */
  rewriteSdp(sdp: string, from: MediaLeg): string;
  /** From now on nothing passes. */
  cut(): void;
  /** Everything passes again. */
  restore(): void;
  /** What passes suffers this from now on; undefined for nothing. */
  setQuality(quality: PathQuality | undefined): void;
  stats(): PathStats;
}

/** @param random decides which packets are lost, and how long each takes. */
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
    // One address may come in several candidates: audio and video, and again after an ICE restart.
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
      // The empty candidate ends the list and points nowhere.
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
 * The local address a proxy listens on: the candidate's own where it is this machine's, since the peers reach that one
 * (Chromium does not speak with 127.0.0.1 when it gathered 192.0.2.2); else the first outside address of that family.
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
