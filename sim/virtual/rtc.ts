import type { Clock } from '../../src/common/clock.ts';
import type { MediaElement } from '../../src/calls/platform/media-element.ts';
import type { RtcPort } from '../../src/calls/platform/rtc.ts';
import type { MediaNetwork } from './media-network.ts';
import { VirtualStream } from './media-track.ts';
import { VirtualPeerConnection } from './peer-connection.ts';
import { assertConfiguration } from './ice.ts';

export interface VirtualRtcDeps {
  /** The name of the device or the media server. */
  readonly node: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly media: MediaNetwork;
}

/** A factory of modeled peer connections, which remembers each of them. */
export class VirtualRtc implements RtcPort {
  /** Every peer connection made, in order. */
  readonly made: VirtualPeerConnection[] = [];
  /** Every element without a place in the page, in order. */
  readonly audioElements: MediaElement[] = [];
  readonly #deps: VirtualRtcDeps;
  readonly #open = new Set<VirtualPeerConnection>();

  constructor(deps: VirtualRtcDeps) {
    this.#deps = deps;
  }

  /** The connections that are not closed. A device whose calls are over must have none. */
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

  createAudioElement(): MediaElement {
    const element: MediaElement = { srcObject: null };
    this.audioElements.push(element);
    return element;
  }
}
