/** The microphone and camera of a headless caller: a tone, and moving bars with the marker. */
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { createMovingBars } from '../signals/moving-bars.ts';
import { createToneGenerator, TONE_FRAME_SAMPLES, TONE_SAMPLE_RATE } from '../signals/tone-generator.ts';
import { startPump } from './pump.ts';
import { wrtc } from './wrtc.ts';

/** The source of one track. Stop it before the peer connection closes. */
export interface MediaSource {
  readonly track: MediaStreamTrack;
  /** The number of frames sent to the engine so far: 10 ms of sound, or a picture. */
  readonly frames: number;
  stop(): void;
}

/** Creates a microphone that hears a tone of `frequency` hertz, as {@link createToneGenerator} makes it. */
export function createToneSource(frequency: number, volume?: number): MediaSource {
  const source = new wrtc.nonstandard.RTCAudioSource();
  const tone = createToneGenerator(frequency, volume);
  const track = source.createTrack();
  return pumped(track, 10, () => {
    source.onData({
      samples: tone.next(),
      sampleRate: TONE_SAMPLE_RATE,
      bitsPerSample: 16,
      channelCount: 1,
      numberOfFrames: TONE_FRAME_SAMPLES,
    });
  });
}

/** Creates a camera that sees moving bars under the marker. */
export function createBarsSource(width: number, height: number, fps: number): MediaSource {
  const source = new wrtc.nonstandard.RTCVideoSource();
  const bars = createMovingBars(width, height);
  return pumped(source.createTrack(), 1000 / fps, (count) => source.onFrame(bars.draw(count)));
}

/** Creates the picture of a missing camera: black, redrawn once a second so that the other side decodes frames (§9). */
export function createBlackSource(width: number, height: number): MediaSource {
  const source = new wrtc.nonstandard.RTCVideoSource();
  const data = new Uint8ClampedArray((width * height * 3) / 2).fill(128).fill(16, 0, width * height);
  return pumped(source.createTrack(), 1000, () => source.onFrame({ width, height, data }));
}

function pumped(track: MediaStreamTrack, intervalMs: number, tick: (count: number) => void): MediaSource {
  let frames = 0;
  let stop = () => undefined as void;
  stop = startPump(
    intervalMs,
    (count) => {
      // The library ends a track by stopping it, as it does for a camera. The source then stops too.
      if (track.readyState === 'ended') return stop();
      tick(count);
      frames += 1;
      // The engine plays in real time.
    },
    nodeClock,
  );
  return {
    track,
    get frames() {
      return frames;
    },
    stop() {
      stop();
      track.stop();
    },
  };
}
