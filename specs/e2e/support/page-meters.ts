/** Runs in the page: a camera that sees the moving bars, and the meters of an element. They are those of the terminal. */
import { createFrameMeter, type FrameMeter } from '../../../cli/headless/signals/frame-meter.ts';
import { readMarkerRgba } from '../../../cli/headless/signals/marker.ts';
import { createMovingBars } from '../../../cli/headless/signals/moving-bars.ts';
import { createToneMeter, type ToneReading } from '../../../cli/headless/signals/tone-meter.ts';
import { context2d, only } from './page-tracks.ts';

const WIDTH = 320;
const HEIGHT = 240;
const FPS = 10;
const RATE = 48_000;
/** One window of the tone meter. One read must not span two windows. */
const WINDOW_SAMPLES = RATE / 5;
const WINDOW_MS = 200;

/** Makes the track of a camera that sees moving bars, whose markers begin at `from`. */
export function camera(from: number): MediaStreamTrack {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = context2d(canvas);
  const bars = createMovingBars(WIDTH, HEIGHT);
  const track = only(canvas.captureStream(0)) as CanvasCaptureMediaStreamTrack;
  let count = from;
  const timer = setInterval(() => {
    if (track.readyState === 'ended') return clearInterval(timer);
    const picture = bars.draw(count);
    const size = { codedWidth: picture.width, codedHeight: picture.height };
    const frame = new VideoFrame(picture.data, { format: 'I420', ...size, timestamp: (count * 1e6) / FPS });
    context.drawImage(frame, 0, 0);
    frame.close();
    track.requestFrame();
    count += 1;
  }, 1000 / FPS);
  return track;
}

/**
 * Measures the sound of the stream of an element.
 *
 * @param shared - the context of several elements, which each need a thread otherwise. Default: one for this element.
 */
export function listen(element: HTMLMediaElement, shared?: AudioContext): { reading(): ToneReading; stop(): void } {
  const context = shared ?? new AudioContext({ sampleRate: RATE });
  const analyser = new AnalyserNode(context, { fftSize: 16_384 });
  const source = context.createMediaStreamSource(element.srcObject as MediaStream);
  source.connect(analyser);
  const meter = createToneMeter();
  const samples = new Float32Array(analyser.fftSize);
  const startedAt = context.currentTime;
  const timer = setInterval(() => {
    // The first windows would contain silence that was not sent, so they are skipped.
    if (context.currentTime - startedAt < (3 * WINDOW_MS) / 1000) return;
    analyser.getFloatTimeDomainData(samples);
    meter.add(Int16Array.from(samples.subarray(-WINDOW_SAMPLES), toInt16), context.sampleRate);
  }, WINDOW_MS);
  return {
    reading: () => meter.reading(),
    stop() {
      clearInterval(timer);
      source.disconnect();
      if (!shared) void context.close();
    },
  };
}

/** Measures the pictures that an element shows. */
export function watch(video: HTMLVideoElement): {
  readonly meter: FrameMeter;
  /** Returns the number of the newest readable frame. */
  newest(): number | null;
  stop(): void;
} {
  const meter = createFrameMeter();
  const context = context2d(document.createElement('canvas'));
  let newest: number | null = null;
  let handle = 0;
  const onFrame = (now: number, { width, height }: VideoFrameCallbackMetadata) => {
    Object.assign(context.canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    const marker = readMarkerRgba(context.getImageData(0, 0, width, height).data, width, height);
    newest = marker ?? newest;
    meter.add(now, marker, width, height);
    handle = video.requestVideoFrameCallback(onFrame);
  };
  handle = video.requestVideoFrameCallback(onFrame);
  return { meter, newest: () => newest, stop: () => video.cancelVideoFrameCallback(handle) };
}

const toInt16 = (sample: number): number => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
