/** Peer connections (W3C WebRTC), in the narrow form every engine we run on offers. */
export interface RtcPort {
  /** Throws what the engine throws on a configuration it refuses. */
  createPeerConnection(configuration: RTCConfiguration): RtcPeerConnection;
  /** An empty stream, or one of these tracks. */
  createMediaStream(tracks?: MediaStreamTrack[]): MediaStream;
}

/**
 * The part of RTCPeerConnection the library uses. wrtc has no argument-free setLocalDescription and may crash when
 * localDescription is read while candidates are gathered, so neither is here.
 */
export interface RtcPeerConnection {
  readonly connectionState: RTCPeerConnectionState;
  readonly iceConnectionState: RTCIceConnectionState;
  createOffer(options?: { iceRestart?: boolean }): Promise<RTCSessionDescriptionInit>;
  createAnswer(): Promise<RTCSessionDescriptionInit>;
  setLocalDescription(description: RTCSessionDescriptionInit): Promise<void>;
  setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void>;
  /** Changes its relays for what it gathers from then on. Throws what the engine throws on what it refuses. */
  setConfiguration(configuration: RTCConfiguration): void;
  addIceCandidate(candidate: RTCIceCandidateInit): Promise<void>;
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
