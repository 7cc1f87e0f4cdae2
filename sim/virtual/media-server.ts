import type { VirtualClock } from './clock.ts';
import type { MediaNetwork } from './media-network.ts';
import { ForwardedTrack, type MediaSource } from './forwarded-track.ts';
import { VirtualTrack } from './media-track.ts';
import type { VirtualPeerConnection } from './peer-connection.ts';
import { seededRandom, seedFor } from './random.ts';
import { VirtualRtc } from './rtc.ts';

interface MediaServerDeps {
  readonly clock: VirtualClock;
  readonly media: MediaNetwork;
  /** The seed of the world. */
  readonly seed: number;
}

/**
 * A media server (SFU) of the simulated world: the far ends of peer connections. The media network has a path between
 * its name and that of each device, which a test can cut, restore, mute and degrade.
 */
export class VirtualMediaServer {
  readonly name: string;
  readonly #media: MediaNetwork;
  readonly #rtc: VirtualRtc;
  readonly #newId: () => string;

  constructor(name: string, { clock, media, seed }: MediaServerDeps) {
    let ids = 0;
    this.name = name;
    this.#media = media;
    this.#newId = () => {
      ids += 1;
      return `${name}-${ids}`;
    };
    this.#rtc = new VirtualRtc({
      node: name,
      clock,
      media,
      newId: this.#newId,
      random: seededRandom(seedFor(seed, name)),
    });
  }

  /** The ends that are not closed. */
  get open(): readonly VirtualPeerConnection[] {
    return this.#rtc.open;
  }

  /** Creates the server's end of a peer connection. It has a public address, and needs no relay. */
  connect(): VirtualPeerConnection {
    return this.#rtc.createPeerConnection({});
  }

  /** Creates a track of media that the server sends. @param label - the name of its participant, for a test. */
  track(kind: 'audio' | 'video', label: string): VirtualTrack {
    return new VirtualTrack(kind, this.#newId(), { label });
  }

  /** Creates a track that carries the media of one end to another. @param source - null while there is none. */
  forward(kind: 'audio' | 'video', source: () => MediaSource | null): ForwardedTrack {
    const sources = () => [source() ?? []].flat();
    return new ForwardedTrack({ kind, id: this.#newId(), sources, isMix: false });
  }

  /** Creates a track that carries the mixed sound of other ends. */
  mix(sources: () => readonly MediaSource[]): ForwardedTrack {
    return new ForwardedTrack({ kind: 'audio', id: this.#newId(), sources, isMix: true });
  }

  /** Changes what the server sends. The media that flowed until now is counted first. */
  change(change: () => void): void {
    this.#media.accrue();
    change();
  }
}
