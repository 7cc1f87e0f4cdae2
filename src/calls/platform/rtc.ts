import type { MediaElement } from '../platform/media-element.ts';

/** Peer connections (W3C WebRTC), in the narrow form that every supported engine has. */
export interface RtcPort {
  /** Creates a peer connection. Throws the error of the engine for a configuration that it refuses. */
  createPeerConnection(configuration: RTCConfiguration): RtcPeerConnection;
  /**
   * Makes an answer and applies it in one step of the engine. Its text does not come into the page and back between the
   * two. Rejects with the error of the engine. Absent for an engine that makes and applies an answer in two steps only.
   */
  readonly answer?: ((connection: RtcPeerConnection) => Promise<RTCSessionDescriptionInit>) | undefined;
  /** Creates a stream, empty or with these tracks. */
  createMediaStream(tracks?: MediaStreamTrack[]): MediaStream;
  /** Creates an element that plays sound without a place in the page: the mix of a large room for video. */
  createAudioElement(): MediaElement;
}

/**
 * The part of RTCPeerConnection that the library uses. wrtc has no setLocalDescription without arguments. It may crash
 * when localDescription is read while candidates are gathered. So neither is here.
 */
export interface RtcPeerConnection {
  readonly connectionState: RTCPeerConnectionState;
  readonly iceConnectionState: RTCIceConnectionState;
  createOffer(options?: { iceRestart?: boolean }): Promise<RTCSessionDescriptionInit>;
  createAnswer(): Promise<RTCSessionDescriptionInit>;
  setLocalDescription(description: RTCSessionDescriptionInit): Promise<void>;
  setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void>;
  /** Changes the relays for later gathering. Throws the error of the engine for what it refuses. */
  setConfiguration(configuration: RTCConfiguration): void;
  addIceCandidate(candidate: RTCIceCandidateInit): Promise<void>;
  /** Sends a track: on an unused transceiver of its kind that a remote offer made, else on a new one. */
  addTrack(track: MediaStreamTrack): RTCRtpSender;
  addTransceiver(
    trackOrKind: MediaStreamTrack | 'audio' | 'video',
    init?: { direction?: RTCRtpTransceiverDirection; streams?: MediaStream[] },
  ): RTCRtpTransceiver;
  getTransceivers(): RTCRtpTransceiver[];
  getStats(): Promise<RTCStatsReport>;
  close(): void;
  addEventListener<K extends keyof RtcPeerConnectionEvents>(
    type: K,
    listener: (event: RtcPeerConnectionEvents[K]) => void,
  ): void;
}

export interface RtcPeerConnectionEvents {
  connectionstatechange: Event;
  iceconnectionstatechange: Event;
  icecandidate: { readonly candidate: RTCIceCandidate | null };
  track: { readonly track: MediaStreamTrack; readonly transceiver: RTCRtpTransceiver };
}
