import type { RtcPort } from '../rtc.ts';

export function browserRtc(): RtcPort {
  return {
    createPeerConnection: (configuration) => new RTCPeerConnection(configuration),
    createMediaStream: (tracks) => new MediaStream(tracks ?? []),
    createAudioElement: () => new Audio(),
  };
}
