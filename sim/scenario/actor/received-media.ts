import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';

/** What presents received media: an element of the host or of the library. */
export type Presenter = Pick<HTMLMediaElement, 'srcObject'>;

/**
 * A function that measures the media which a device receives through a peer connection. Each kind of world has its
 * own. A world with a page measures the media of a room in the element that presents it.
 */
export type MediaMeter = (connection: RtcPeerConnection, presenter?: Presenter) => ReceivedMedia;

/** The media of one connection, as its receiver gets it. */
export interface ReceivedMedia {
  /** The received tone in hertz, to the nearest ten. 0 for none. */
  readonly tone: number;
  /** The recent rate of pictures per second. */
  readonly fps: number;
  /** Whether new pictures arrive: each carries a number that counts up. */
  readonly marker: 'advancing' | 'none';
  /** The devices whose tones arrive. */
  readonly heard: readonly string[];
  /** The devices whose moving pictures arrive. Null in a world that cannot distinguish their pictures. */
  readonly seen: readonly string[] | null;
  /** Whether any sound arrives, and any moving picture. Absent in a world that only has tones and marked pictures. */
  readonly any?: { readonly sound: boolean; readonly motion: boolean };
}

/** The media without a connection. */
export const NO_MEDIA: ReceivedMedia = { tone: 0, fps: 0, marker: 'none', heard: [], seen: [] };

const LOWEST_HZ = 440;
const STEP_HZ = 220;

/** Returns the tone of the microphone of the n-th device of a scenario, in hertz. The first is 0. */
export const toneOf = (nth: number): number => LOWEST_HZ + STEP_HZ * nth;
