/**
 * The media path of one call through user-space sockets, so that a test can break it.
 *
 * Signalling replaces the address of each UDP candidate by a proxy for it. Each leg knows only proxies of the other
 * one, so every packet between them passes through a proxy, whichever pair ICE chooses. Candidates that a proxy cannot
 * serve are dropped (TCP, names ending in .local, link-local addresses). One of them would bypass the cut.
 */
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../src/common/clock.ts';
import type { MediaLeg, MediaPath } from '../exchange/ports.ts';
import { parseCandidate, redirectCandidate, stripCandidates } from './candidate.ts';
import { openUdpProxy, type UdpAddress, type UdpProxy } from './udp-proxy.ts';

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

/** The surroundings of a path. */
export interface PathProxyOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Decides which packets are lost, and the delay of each. Returns a number from 0 to 1, without 1. */
  readonly random: () => number;
}

export function createPathProxy(options: PathProxyOptions): PathProxy {
  return new OpenPath(options);
}

class OpenPath implements PathProxy {
  readonly #options: PathProxyOptions;
  readonly #proxies = new Map<string, Promise<UdpProxy | null>>();
  readonly #opened: UdpProxy[] = [];
  #isCut = false;
  #quality: PathQuality | undefined;
  #isDisposed = false;
  #passed = 0;
  #dropped = 0;

  constructor(options: PathProxyOptions) {
    this.#options = options;
  }

  rewriteSdp(sdp: string): string {
    return stripCandidates(sdp);
  }

  async rewriteCandidate(candidate: string, from: MediaLeg): Promise<string | null> {
    // The empty candidate ends the list and has no address.
    if (candidate === '' || this.#isDisposed) return this.#isDisposed ? null : candidate;
    const parsed = parseCandidate(candidate);
    if (!parsed || parsed.protocol !== 'udp' || !isProxied(parsed.address)) return null;
    const proxy = await this.#proxyFor(from, parsed);
    return proxy && redirectCandidate(candidate, proxy.address.address, proxy.address.port);
  }

  cut(): void {
    this.#isCut = true;
  }

  restore(): void {
    this.#isCut = false;
  }

  setQuality(quality: PathQuality | undefined): void {
    this.#quality = quality;
  }

  stats(): PathStats {
    return {
      passed: this.#passed,
      dropped: this.#dropped,
      proxies: this.#opened.length,
      sockets: this.#opened.reduce((sum, one) => sum + one.sockets, 0),
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const one of this.#opened.splice(0)) one.close();
  }

  #proxyFor(leg: MediaLeg, { address, port }: UdpAddress): Promise<UdpProxy | null> {
    // One address may come in several candidates: of audio and video, and again after an ICE restart.
    const key = `${leg} ${address} ${port}`;
    const known = this.#proxies.get(key);
    if (known) return known;
    const proxy = this.#open({ address, port });
    this.#proxies.set(key, proxy);
    return proxy;
  }

  /** Opens a proxy. Returns null when it cannot be opened, or the path was disposed meanwhile. */
  async #open(target: UdpAddress): Promise<UdpProxy | null> {
    const { clock } = this.#options;
    const options = { host: reachableHost(target.address), clock, delayOf: () => this.#delayOf() };
    const proxy = await openUdpProxy(target, options).catch(() => null);
    if (proxy && this.#isDisposed) {
      proxy.close();
      return null;
    }
    if (proxy) this.#opened.push(proxy);
    return proxy;
  }

  /** Returns the delay of the next packet in milliseconds. Null when it is lost. */
  #delayOf(): number | null {
    const { random } = this.#options;
    const quality = this.#quality;
    if (this.#isCut || (quality !== undefined && random() < quality.lossRate)) {
      this.#dropped += 1;
      return null;
    }
    this.#passed += 1;
    return quality === undefined ? 0 : quality.rttMs / 2 + random() * quality.jitterMs;
  }
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
