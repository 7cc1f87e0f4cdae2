/**
 * Runs in the page, before the app: replaces the microphone by a tone and the camera by moving bars under the
 * marker, and measures the media of the other side. The signals and their readers are the terminal's, so that a page
 * and a terminal can measure each other.
 */
import { createFrameMeter, type FrameReading } from '../../../cli/headless/signals/frame-meter.ts';
import { readMarkerRgba } from '../../../cli/headless/signals/marker.ts';
import { createMovingBars } from '../../../cli/headless/signals/moving-bars.ts';
import { createToneMeter, type ToneReading } from '../../../cli/headless/signals/tone-meter.ts';
import { context2d, microphone, only } from './page-tracks.ts';

/** The measurements of the page since their last start. */
export interface PageReading {
  readonly tone: ToneReading;
  readonly frames: FrameReading;
  /** The number of the newest readable frame. */
  readonly newest: number | null;
  /** Whether the user hears the call: the element is neither muted nor paused. */
  readonly plays: boolean;
}

const WIDTH = 320;
const HEIGHT = 240;
const FPS = 10;
/** The first frame number of the rear camera, so that the other side can identify the camera. */
export const REAR_CAMERA_FROM = 30_000;
const RATE = 48_000;
/** One window of the tone meter. One read must not span two windows. */
const WINDOW_SAMPLES = RATE / 5;
const WINDOW_MS = 200;

let stopMeasuring: (() => void) | undefined;
let read: (() => PageReading) | undefined;
const connections: RTCPeerConnection[] = [];
const given: MediaStreamTrack[] = [];

/** Replaces the devices, if the page may have any. The empty page before the app may not. */
export function install(tone: number): void {
  if (!('mediaDevices' in navigator)) return;
  navigator.mediaDevices.getUserMedia = async ({ audio, video }: MediaStreamConstraints = {}) => {
    const tracks = [...(audio ? [microphone(tone)] : []), ...(video ? [camera(isRear(video))] : [])];
    given.push(...tracks);
    return new MediaStream(tracks);
  };
  const Native = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Native {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      connections.push(this);
    }
  };
}

/** Returns the resources of ended calls that the page still holds: open connections, and devices in use. */
export const leftovers = (): string[] => [
  ...connections.flatMap(({ connectionState: state }) => (state === 'closed' ? [] : [`a ${state} connection`])),
  ...given.flatMap(({ kind, readyState }) => (readyState === 'live' ? [`a live ${kind} track`] : [])),
];

/** Starts new measurements of the visible call. */
export function measure(): void {
  stopMeasuring?.();
  const element = theirMedia();
  const ears = listen(element);
  const eyes = element instanceof HTMLVideoElement ? watch(element) : null;
  stopMeasuring = () => {
    ears.stop();
    eyes?.stop();
  };
  read = () => ({
    tone: ears.reading(),
    frames: (eyes?.meter ?? createFrameMeter()).reading(),
    newest: eyes?.newest() ?? null,
    plays: !element.muted && !element.paused && element.volume > 0,
  });
}

export function reading(): PageReading {
  if (!read) throw new Error('nothing is measured: call measure() first');
  return read();
}

/** Returns the statistics of the newest connection. */
export const connectionState = (): RTCPeerConnectionState | undefined => connections.at(-1)?.connectionState;

function isRear(video: boolean | MediaTrackConstraints): boolean {
  return typeof video === 'object' && JSON.stringify(video.facingMode ?? null).includes('environment');
}

function camera(rear: boolean): MediaStreamTrack {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = context2d(canvas);
  const bars = createMovingBars(WIDTH, HEIGHT);
  const track = only(canvas.captureStream(0)) as CanvasCaptureMediaStreamTrack;
  let count = rear ? REAR_CAMERA_FROM : 0;
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

/** Returns the element that plays the other side. The local picture is muted. */
function theirMedia(): HTMLMediaElement {
  const elements = [...document.querySelectorAll<HTMLMediaElement>('[role=dialog] :is(audio, video)')];
  const theirs = elements.find((element) => !element.muted && element.srcObject instanceof MediaStream);
  if (!theirs) throw new Error('no call on the screen plays anything');
  return theirs;
}

function listen(element: HTMLMediaElement) {
  const context = new AudioContext({ sampleRate: RATE });
  const analyser = new AnalyserNode(context, { fftSize: 16_384 });
  context.createMediaStreamSource(element.srcObject as MediaStream).connect(analyser);
  const meter = createToneMeter();
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    // The first windows would contain silence that was not sent, so they are skipped.
    if (context.currentTime < (3 * WINDOW_MS) / 1000) return;
    analyser.getFloatTimeDomainData(samples);
    meter.add(Int16Array.from(samples.subarray(-WINDOW_SAMPLES), toInt16), context.sampleRate);
  }, WINDOW_MS);
  return {
    reading: () => meter.reading(),
    stop() {
      clearInterval(timer);
      void context.close();
    },
  };
}

function watch(video: HTMLVideoElement) {
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
