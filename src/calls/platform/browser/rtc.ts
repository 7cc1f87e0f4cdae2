import type { RtcPeerConnection, RtcPort } from '../rtc.ts';

/** A connection that makes the description which it needs next, when it is given none (W3C WebRTC §4.4.1.5). */
interface DescribingConnection extends RtcPeerConnection {
  /** Null before the first description. */
  readonly localDescription: RTCSessionDescription;
  setLocalDescription(description?: RTCSessionDescriptionInit): Promise<void>;
}

export function browserRtc(): RtcPort {
  return {
    createPeerConnection: (configuration) => new RTCPeerConnection(configuration),
    // Each connection of this port is one of the browser.
    answer: async (connection) => {
      const describing = connection as DescribingConnection;
      await describing.setLocalDescription();
      return describing.localDescription;
    },
    createMediaStream: (tracks) => new MediaStream(tracks ?? []),
    createAudioElement: () => new Audio(),
  };
}
