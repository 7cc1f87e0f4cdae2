/**
 * The native WebRTC engine. A process that has created an audio or video source crashes at a natural exit. Therefore
 * only processes that their parent kills import this file: the peer hosts and the mixer.
 */
import { createRequire } from 'node:module';

/** The audio format of the engine: 10 ms of 16-bit samples. */
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

/** The types of the engine lack the events of sinks and confuse video with audio, so these replace them. */
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

// CommonJS whose exports static analysis does not find: a named import would fail.
const require = createRequire(import.meta.url);
export const wrtc = require('wrtc') as Wrtc;
