/**
 * The media paths of a real world: between the devices of a call, and between a device and the media server of rooms.
 * Each has proxies that can be cut.
 */
import type { MediaPath } from '../../../sim/exchange/ports.ts';
import { MEDIA_SERVER } from '../../../sim/faults/vocabulary.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import type { SimOptions } from '../../../sim/server/start-sim.ts';
import { createPathProxy, type PathProxy, type PathQuality } from '../../../sim/media/path-proxy.ts';

/** Whose media a path carries: that of a call, or that of an endpoint of a participant. */
export type PathOwner = { readonly callId: string } | { readonly endpointId: string; readonly participantId: string };

/** Opens the media path of an owner, for the exchange. */
export type OpenPath = (owner: PathOwner) => MediaPath;

/** Returns the options of a server whose media goes through paths. */
export const mediaPathsOf = (open: OpenPath): Pick<SimOptions, 'mediaPath' | 'roomMediaPath'> => ({
  mediaPath: (callId) => open({ callId }),
  roomMediaPath: ({ endpointId, participantId }) => open({ endpointId, participantId }),
});

interface Way {
  readonly path: PathProxy;
  /** The ends of the path, as far as known: the devices that negotiate its media, and the media server. */
  readonly ends: Set<string>;
}

export class MediaPaths {
  readonly #makePath: () => PathProxy;
  /** By the id of the call or of the endpoint. */
  readonly #ways = new Map<string, Way>();
  /** The devices by the ids of their participants. */
  readonly #participants = new Map<string, string>();
  readonly #cut = new Set<string>();
  readonly #qualities = new Map<string, PathQuality>();

  /** @param makePath - makes the proxies of one path. Default: those of this machine, with the losses of `random`. */
  constructor(random: () => number, makePath = () => createPathProxy({ clock: nodeClock, random })) {
    this.#makePath = makePath;
  }

  /** Returns the path of a call, or that of an endpoint, whose device has requested it. */
  open(owner: PathOwner): MediaPath {
    const id = idOf(owner);
    const way = { path: this.#makePath(), ends: new Set<string>() };
    this.#ways.set(id, way);
    if ('participantId' in owner) {
      const device = this.#participants.get(owner.participantId);
      if (device !== undefined) way.ends.add(device);
      way.ends.add(MEDIA_SERVER);
      this.#apply(way);
    }
    return {
      rewriteSdp: (sdp, from) => way.path.rewriteSdp(sdp, from),
      rewriteCandidate: (candidate, from) => way.path.rewriteCandidate(candidate, from),
      dispose: () => {
        this.#ways.delete(id);
        way.path.dispose();
      },
    };
  }

  /** Reads a message of a device, which may show whose media the device negotiates. */
  sent(device: string, type: string, text: string): void {
    const participantId = participantOfMedia(type, text);
    if (participantId !== undefined) this.#participants.set(participantId, device);
    const callId = callOfMedia(type, text);
    const way = callId === undefined ? undefined : this.#ways.get(callId);
    if (!way || way.ends.has(device)) return;
    way.ends.add(device);
    this.#apply(way);
  }

  /** Cuts all paths of a device, or those of the media server. */
  cut(end: string): void {
    this.#cut.add(end);
    this.#applyAll();
  }

  restore(end: string): void {
    this.#cut.delete(end);
    this.#applyAll();
  }

  /** Sets the media fault of the path between two devices, or a device and the media server. Undefined removes it. */
  setQuality(a: string, b: string, quality: PathQuality | undefined): void {
    const key = between(a, b);
    if (quality) this.#qualities.set(key, quality);
    else this.#qualities.delete(key);
    this.#applyAll();
  }

  quality(a: string, b: string): PathQuality | undefined {
    return this.#qualities.get(between(a, b));
  }

  #applyAll(): void {
    for (const way of this.#ways.values()) this.#apply(way);
  }

  #apply({ path, ends }: Way): void {
    if ([...ends].some((end) => this.#cut.has(end))) path.cut();
    else path.restore();
    const [a = '', b = ''] = ends;
    path.setQuality(this.#qualities.get(between(a, b)));
  }
}

/** Returns the id by which the exchange names a path. */
export const idOf = (owner: PathOwner): string => ('callId' in owner ? owner.callId : owner.endpointId);

/** Returns the call whose media a message negotiates. Undefined for other messages. */
function callOfMedia(type: string, text: string): string | undefined {
  return ['offer', 'answer', 'candidate'].includes(type) ? payloadOf(text).call_id : undefined;
}

/** Returns the participant of a message or a request that makes an endpoint. Undefined for others. */
function participantOfMedia(type: string, text: string): string | undefined {
  if (type === 'endpoint_create') return payloadOf(text).participant_id;
  return /^POST \S*\/participants\/([^/]+)\/endpoints$/.exec(type)?.[1];
}

interface MediaPayload {
  readonly call_id?: string;
  readonly participant_id?: string;
}

const payloadOf = (text: string): MediaPayload => (JSON.parse(text) as { payload?: MediaPayload }).payload ?? {};

const between = (a: string, b: string): string => [a, b].toSorted().join('\n');
