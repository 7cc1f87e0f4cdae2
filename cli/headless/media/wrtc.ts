/**
 * The native WebRTC engine. Loading it is what makes a process unable to end by itself (an audio or video source crashes
 * it at a natural exit), so only the peer host imports this file.
 */
import { createRequire } from 'node:module';

/** What the engine takes as audio: 10 ms of 16-bit samples. */
export interface AudioData {
  readonly samples: Int16Array;
  readonly sampleRate: number;
  readonly bitsPerSample?: number;
  readonly channelCount?: number;
  readonly numberOfFrames?: number;
}

export interface AudioSource {
  createTrack(): MediaStreamTrack;
  onData(data: AudioData): void;
}

export interface AudioSink {
  ondata: ((data: Required<AudioData>) => void) | null;
  stop(): void;
}

/** A picture as I420. */
export interface VideoFrame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export interface VideoSource {
  createTrack(): MediaStreamTrack;
  onFrame(frame: VideoFrame): void;
}

export interface VideoSink {
  onframe: ((event: { readonly frame: VideoFrame & { readonly rotation: number } }) => void) | null;
  stop(): void;
}

/** The engine's own typings miss the events of the sinks and take video for audio, hence these. */
export interface Wrtc {
  readonly RTCPeerConnection: new (configuration?: RTCConfiguration) => RTCPeerConnection;
  readonly MediaStream: new (tracks?: MediaStreamTrack[]) => MediaStream;
  readonly nonstandard: {
    readonly RTCAudioSource: new () => AudioSource;
    readonly RTCAudioSink: new (track: MediaStreamTrack) => AudioSink;
    readonly RTCVideoSource: new (init?: { isScreencast?: boolean }) => VideoSource;
    readonly RTCVideoSink: new (track: MediaStreamTrack) => VideoSink;
  };
}

// CommonJS with exports no static analysis finds: a named import would fail.
const require = createRequire(import.meta.url);
export const wrtc = require('wrtc') as Wrtc;
