/** Creates peer connections over wrtc. */
import type { RtcPort } from '../../../src/calls/platform/rtc.ts';
import { wrtc } from '../media/wrtc.ts';
import { announceMissedStates } from './missed-states.ts';

export function wrtcPort(): { port: RtcPort; latest: () => RTCPeerConnection | null } {
  // Keeps all connections: the engine keeps an unreferenced one alive as well.
  const made: RTCPeerConnection[] = [];
  return {
    port: {
      createPeerConnection(configuration) {
        const pc = new wrtc.RTCPeerConnection(configuration);
        announceMissedStates(pc);
        made.push(pc);
        return pc;
      },
      createMediaStream: (tracks = []) => new wrtc.MediaStream(tracks),
    },
    latest: () => made.at(-1) ?? null,
  };
}
