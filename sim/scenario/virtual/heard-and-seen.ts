import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';
import type { ArrivingTrack, Span } from '../../virtual/forwarded-track.ts';
import type { MediaNetwork } from '../../virtual/media-network.ts';
import type { VirtualPlatform } from '../../virtual/platform.ts';
import { type MediaMeter, toneOf } from '../actor/received-media.ts';

/** Pictures per second of a camera, and of the black picture that replaces it. */
const CAMERA_FPS = 24;
const BLACK_FPS = 1;
const SILENCE = 'silence';
const BLACK = 'black picture';

/**
 * The window of a measurement of partly lost media. The meters of the real world use windows of 200 ms, three in a
 * reading (cli/headless/signals/tone-meter.ts, cli/worlds/real/heard-and-seen.ts). If half of a window is lost, a
 * tone has at most half of its energy, and the window does not count. A reading needs 80 % of its windows, so all
 * three.
 */
const WINDOW_MS = 200;
const WINDOWS = 3;
const MOST_LOST = 0.5;

/** Returns what a device receives through a connection: the tracks whose path is up, reduced by their losses. */
export function heardAndSeen(
  device: VirtualPlatform,
  all: () => readonly VirtualPlatform[],
  media: MediaNetwork,
): MediaMeter {
  return (connection) => {
    const sourcesOf = (tracks: readonly Arriving[]) => tracks.map(({ from }) => from);
    const arriving = (kind: 'audio' | 'video') => arrivingTracks(device, connection, media, kind);
    return {
      get tone() {
        const [heard] = arriving('audio').filter(isSound);
        return heard ? toneOf(all().findIndex(({ name }) => name === heard.from)) : 0;
      },
      get fps() {
        const [seen] = arriving('video');
        if (!seen) return 0;
        return seen.track.label === BLACK ? BLACK_FPS : Math.round(CAMERA_FPS * (1 - seen.lost));
      },
      get marker() {
        return arriving('video').some(isPicture) ? 'advancing' : 'none';
      },
      get heard() {
        return sourcesOf(arriving('audio').filter(isSound));
      },
      get seen() {
        return sourcesOf(arriving('video').filter(isPicture));
      },
    };
  };
}

interface Arriving extends Pick<ArrivingTrack, 'from' | 'track'> {
  /** The share that is lost, from 0 to {@link MOST_LOST}. */
  readonly lost: number;
}

const isSound = ({ track }: Arriving): boolean => track.enabled && track.label !== SILENCE;
const isPicture = ({ track }: Arriving): boolean => track.enabled && track.label !== BLACK;

function arrivingTracks(
  { rtc }: VirtualPlatform,
  connection: RtcPeerConnection,
  { clock }: MediaNetwork,
  kind: 'audio' | 'video',
): Arriving[] {
  const tracks = rtc.open.filter((one) => one === connection).flatMap((here) => here.arriving(kind));
  return tracks.flatMap(({ from, track, lostIn }) => {
    const lost = lostOf(lostIn, clock.now());
    return lost === undefined ? [] : [{ from, track, lost }];
  });
}

/** Returns the mean share lost over the last windows. Undefined if half of one of them is lost. */
function lostOf(lostIn: (span: Span) => number, now: number): number | undefined {
  const windows = Array.from({ length: WINDOWS }, (_, at) => {
    const to = now - at * WINDOW_MS;
    return lostIn({ from: to - WINDOW_MS, to });
  });
  return windows.every((lost) => lost < MOST_LOST) ? windows.reduce((sum, lost) => sum + lost, 0) / WINDOWS : undefined;
}
