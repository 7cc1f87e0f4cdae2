import type { RtcPort } from '../../src/calls/platform/rtc.ts';
import type { VirtualClock } from './clock.ts';
import type { MediaNetwork } from './media-network.ts';
import { VirtualStream } from './media-track.ts';
import { VirtualPeerConnection } from './peer-connection.ts';
import { assertConfiguration } from './rtc-configuration.ts';

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
