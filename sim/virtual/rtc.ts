import type { RtcPort } from '../../src/calls/platform/rtc.ts';
import type { VirtualClock } from './clock.ts';
import type { MediaNetwork } from './media-network.ts';
import { VirtualStream } from './media-track.ts';
import { VirtualPeerConnection } from './peer-connection.ts';

export interface VirtualRtcDeps {
  readonly device: string;
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly media: MediaNetwork;
}

/** Makes modelled peer connections, and keeps account of them. */
export class VirtualRtc implements RtcPort {
  /** Every peer connection made, in order. */
  readonly made: VirtualPeerConnection[] = [];
  readonly #deps: VirtualRtcDeps;
  readonly #open = new Set<VirtualPeerConnection>();

  constructor(deps: VirtualRtcDeps) {
    this.#deps = deps;
  }

  /** Those that are not closed: a device whose calls are over has none. */
  get open(): readonly VirtualPeerConnection[] {
    return [...this.#open];
  }

  createPeerConnection(configuration: RTCConfiguration): VirtualPeerConnection {
    assertConfiguration(configuration);
    const connection = new VirtualPeerConnection(
      { ...this.#deps, closed: (closed) => this.#open.delete(closed) },
      configuration,
    );
    this.made.push(connection);
    this.#open.add(connection);
    return connection;
  }

  createMediaStream(tracks: MediaStreamTrack[] = []): VirtualStream {
    return new VirtualStream(this.#deps.newId(), tracks);
  }
}

/** Refuses what engines refuse (W3C WebRTC §4.4.1.6). */
function assertConfiguration({ iceServers = [] }: RTCConfiguration): void {
  for (const { urls, username, credential } of iceServers) {
    for (const url of [urls].flat()) {
      if (!/^(stuns?|turns?):[^\s/]+$/.test(url)) throw new DOMException(`'${url}' is not a valid URL.`, 'SyntaxError');
      if (/^turns?:/.test(url) && (username === undefined || credential === undefined)) {
        throw new DOMException('Both username and credential are required', 'InvalidAccessError');
      }
    }
  }
}
