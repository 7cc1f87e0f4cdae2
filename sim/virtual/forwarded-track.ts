/** Media on its way through a media server. */
import { VirtualTrack } from './media-track.ts';

/** A span of time. Milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A track that arrives at a peer connection, over every path and media server between. */
export interface ArrivingTrack {
  /** The name of the device that sends it. */
  readonly from: string;
  /** The track of that device. */
  readonly track: MediaStreamTrack;
  /** Returns the share that is lost on the way, from 0 to 1: over a span of time, or on average. */
  readonly lostIn: (span?: Span) => number;
}

/** An end of a media server, as a source of media that the server sends on. */
export interface MediaSource {
  /** Returns the tracks that arrive now. */
  arriving(kind: 'audio' | 'video'): readonly ArrivingTrack[];
}

interface ForwardedOptions {
  readonly kind: 'audio' | 'video';
  readonly id: string;
  /** Returns the ends whose media the track carries now. */
  readonly sources: () => readonly MediaSource[];
  /** Whether the server makes the packets itself. Else it forwards them, and those that it did not get are missing. */
  readonly isMix: boolean;
}

/** A track that a media server sends: the media of another end, or the mix of several. */
export class ForwardedTrack extends VirtualTrack {
  readonly #sources: () => readonly MediaSource[];
  readonly #isMix: boolean;

  constructor({ kind, id, sources, isMix }: ForwardedOptions) {
    super(kind, id, { label: isMix ? 'mix' : 'forwarded' });
    this.#sources = sources;
    this.#isMix = isMix;
  }

  /** Returns the tracks that it carries now. */
  get carried(): readonly ArrivingTrack[] {
    return this.#sources().flatMap((source) => source.arriving(this.kind));
  }

  /** The share of its packets that the server does not have, from 0 to 1. 1 while there is nothing to send. */
  get missing(): number {
    const missing = Math.min(1, ...this.carried.map(({ lostIn }) => lostIn()));
    return this.#isMix && missing < 1 ? 0 : missing;
  }
}

/** Returns the share that is lost on two paths in a row. */
export const lostOnBoth = (first: number, second: number): number => 1 - (1 - first) * (1 - second);
