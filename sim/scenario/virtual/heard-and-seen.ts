import type { RtcPeerConnection } from '../../../src/calls/platform/rtc.ts';
import type { MediaNetwork } from '../../virtual/media-network.ts';
import type { VirtualPlatform } from '../../virtual/platform.ts';
import { type MediaSights, toneOf } from '../actor/media-sight.ts';

/** Pictures a second of a camera, and of the black picture that stands in for one. */
const CAMERA_FPS = 24;
const BLACK_FPS = 1;
const SILENCE = 'silence';
const BLACK = 'black picture';

/** Tells what a device receives through a connection: the tracks that reach it over a path that is up. */
export function heardAndSeen(
  device: VirtualPlatform,
  all: () => readonly VirtualPlatform[],
  media: MediaNetwork,
): MediaSights {
  return (connection) => {
    const arriving = (kind: 'audio' | 'video') => arrivingTracks(device, connection, all(), media, kind);
    return {
      get tone() {
        const [heard] = arriving('audio').filter(({ track }) => track.enabled && track.label !== SILENCE);
        return heard ? toneOf(all().indexOf(heard.from)) : 0;
      },
      get fps() {
        const [seen] = arriving('video');
        if (!seen) return 0;
        return seen.track.label === BLACK ? BLACK_FPS : CAMERA_FPS;
      },
      get marker() {
        return arriving('video').some(({ track }) => track.enabled && track.label !== BLACK) ? 'advancing' : 'none';
      },
    };
  };
}

interface Arriving {
  readonly from: VirtualPlatform;
  readonly track: MediaStreamTrack;
}

function arrivingTracks(
  device: VirtualPlatform,
  connection: RtcPeerConnection,
  all: readonly VirtualPlatform[],
  media: MediaNetwork,
  kind: 'audio' | 'video',
): Arriving[] {
  const opened = device.rtc.open.filter((one) => one === connection);
  return opened.flatMap((here) =>
    all.flatMap((from) =>
      from.rtc.open.flatMap((there) => {
        const isJoined = there.localUfrag === here.remoteUfrag && here.connectionState === 'connected';
        if (!isJoined || there === here || !media.isUp(here, there)) return [];
        return here.getTransceivers().flatMap(({ kind: own, mid, isReceiving }): Arriving[] => {
          if (own !== kind || !isReceiving) return [];
          const sending = there.getTransceivers().find((one) => one.mid === mid && one.isSending);
          return sending?.sender.track ? [{ from, track: sending.sender.track }] : [];
        });
      }),
    ),
  );
}
