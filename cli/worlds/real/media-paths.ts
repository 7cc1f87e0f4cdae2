/** The media paths between the devices of a real world. Each call has proxies that can be cut. */
import type { MediaPath } from '../../../sim/exchange/ports.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { createPathProxy, type PathProxy, type PathQuality } from '../../../sim/media/path-proxy.ts';

interface Way {
  readonly path: PathProxy;
  /** The devices that have sent a description or a candidate for this call. */
  readonly devices: Set<string>;
}

export class MediaPaths {
  readonly #random: () => number;
  readonly #ways = new Map<string, Way>();
  readonly #cut = new Set<string>();
  readonly #qualities = new Map<string, PathQuality>();

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns the path of a call, for the exchange. */
  open(callId: string): MediaPath {
    const way = this.#wayOf(callId);
    return {
      rewriteSdp: (sdp, from) => way.path.rewriteSdp(sdp, from),
      rewriteCandidate: (candidate, from) => way.path.rewriteCandidate(candidate, from),
      dispose: () => {
        this.#ways.delete(callId);
        way.path.dispose();
      },
    };
  }

  /** Adds a device to the path of the call whose media it negotiates. */
  takesPart(device: string, callId: string): void {
    const way = this.#ways.get(callId);
    if (!way || way.devices.has(device)) return;
    way.devices.add(device);
    this.#apply(way);
  }

  /** Cuts all paths of a device. */
  cut(device: string): void {
    this.#cut.add(device);
    this.#applyAll();
  }

  restore(device: string): void {
    this.#cut.delete(device);
    this.#applyAll();
  }

  /** Sets the media fault of the path between two devices. Undefined removes it. */
  setQuality(a: string, b: string, quality: PathQuality | undefined): void {
    const key = between(a, b);
    if (quality) this.#qualities.set(key, quality);
    else this.#qualities.delete(key);
    this.#applyAll();
  }

  quality(a: string, b: string): PathQuality | undefined {
    return this.#qualities.get(between(a, b));
  }

  #wayOf(callId: string): Way {
    const way = { path: createPathProxy({ clock: nodeClock, random: this.#random }), devices: new Set<string>() };
    this.#ways.set(callId, way);
    return way;
  }

  #applyAll(): void {
    for (const way of this.#ways.values()) this.#apply(way);
  }

  #apply({ path, devices }: Way): void {
    if ([...devices].some((device) => this.#cut.has(device))) path.cut();
    else path.restore();
    const [a = '', b = ''] = devices;
    path.setQuality(this.#qualities.get(between(a, b)));
  }
}

/** Returns the call whose media a message negotiates. Undefined for other messages. */
export function callOfMedia(type: string, text: string): string | undefined {
  if (!['offer', 'answer', 'candidate'].includes(type)) return undefined;
  const { payload } = JSON.parse(text) as { payload?: { call_id?: string } };
  return payload?.call_id;
}

const between = (a: string, b: string): string => [a, b].toSorted().join('\n');
