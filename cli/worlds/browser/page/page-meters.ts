/**
 * The sound and the pictures of a page, measured where a user hears and sees them: in the elements that present them.
 * A direct call without an element of its own is measured in one that this file makes.
 */
import { createChordMeter } from '../../../headless/signals/chord-meter.ts';
import { createMotionSense } from '../../../headless/signals/motion.ts';
import { createToneMeter } from '../../../headless/signals/tone-meter.ts';
import { type MediaMeter, type ReceivedMedia, toneOf } from '../../../../sim/scenario/actor/received-media.ts';

/** The sound of a reading: two thirds of a second. The tones are far below half of this rate. */
const SOUND = { sampleRate: 24_000, fftSize: 16_384 };
const FULL_SCALE = 32_768;
/** Tones are rounded to ten hertz. */
const ROUNDED_TO_HZ = 10;
/** A reading is used again for this time, milliseconds. */
const FRESH_MS = 200;
/** The time between two looks at a picture, and the span that a reading covers. Milliseconds. */
const LOOK_MS = 60;
const SPAN_MS = 600;
/** The size to which a picture is scaled for a comparison with the next one. */
const [WIDTH, HEIGHT] = [64, 48];

type Picture = Pick<ReceivedMedia, 'fps' | 'marker'>;

/** Creates the meter of a page. `names` are the devices of the scenario, in the order of their tones. */
export function createPageMeter(names: readonly string[]): MediaMeter {
  const context = new AudioContext({ sampleRate: SOUND.sampleRate });
  const measured = new WeakMap<HTMLMediaElement, ReceivedMedia>();
  const ownElements = new WeakMap<object, HTMLVideoElement>();

  const elementOf = (connection: RTCPeerConnection): HTMLMediaElement => {
    const known = ownElements.get(connection);
    if (known) return known;
    const made = Object.assign(document.createElement('video'), { autoplay: true, srcObject: new MediaStream() });
    ownElements.set(connection, made);
    return made;
  };
  const measuredIn = (element: HTMLMediaElement): ReceivedMedia => {
    const known = measured.get(element);
    if (known) return known;
    const made = mediaOf(element, context, names);
    measured.set(element, made);
    return made;
  };
  return (port, presenter) => {
    const connection = port as unknown as RTCPeerConnection;
    const element = (presenter as HTMLMediaElement | undefined) ?? elementOf(connection);
    if (presenter === undefined) showTracks(element, connection);
    return measuredIn(element);
  };
}

/** Returns the media of an element. Each value is measured when it is read, since a scenario reads few. */
function mediaOf(element: HTMLMediaElement, context: AudioContext, names: readonly string[]): ReceivedMedia {
  const tones = names.map((_, nth) => toneOf(nth));
  const samples = soundOf(element, context);
  const heard = recent(() => {
    const chord = createChordMeter(tones);
    chord.add(samples(), SOUND.sampleRate);
    return chord.reading().map((one) => names[tones.indexOf(one)] ?? '');
  });
  const tone = recent(() => {
    const meter = createToneMeter();
    meter.add(samples(), SOUND.sampleRate);
    const { ok, frequency } = meter.reading();
    return ok && frequency !== null ? Math.round(frequency / ROUNDED_TO_HZ) * ROUNDED_TO_HZ : 0;
  });
  let looking: (() => Picture) | undefined;
  const picture = () => (looking ??= pictureOf(element))();
  return {
    get heard() {
      return heard();
    },
    get tone() {
      return tone();
    },
    get fps() {
      return picture().fps;
    },
    get marker() {
      return picture().marker;
    },
    // The pictures of the browser's camera are the same on each device.
    seen: null,
  };
}

/** Returns a function that measures again only when the last result is old. */
function recent<T>(measure: () => T): () => T {
  let last: { readonly at: number; readonly value: T } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= FRESH_MS) last = { at: now, value: measure() };
    return last.value;
  };
}

/** Shows the media that arrives on a connection, and no other. */
function showTracks({ srcObject }: HTMLMediaElement, connection: RTCPeerConnection): void {
  const stream = srcObject as MediaStream;
  const tracks = connection.getReceivers().flatMap(({ track }) => (track.readyState === 'live' ? [track] : []));
  for (const track of stream.getTracks()) if (!tracks.includes(track)) stream.removeTrack(track);
  for (const track of tracks) if (!stream.getTracks().includes(track)) stream.addTrack(track);
}

/** Returns a function that reads the last samples of an element. A paused or muted one plays none. */
function soundOf(element: HTMLMediaElement, context: AudioContext): () => Int16Array {
  const samples = new Float32Array(SOUND.fftSize);
  const words = new Int16Array(SOUND.fftSize);
  let ear: { readonly track: MediaStreamTrack; readonly analyser: AnalyserNode } | undefined;
  return () => {
    const track = (element.srcObject as MediaStream | null)?.getAudioTracks()[0];
    if (!track || element.paused || element.muted) return words.fill(0);
    if (ear?.track !== track) ear = { track, analyser: listenTo(track, context) };
    ear.analyser.getFloatTimeDomainData(samples);
    for (const [at, sample] of samples.entries()) words[at] = sample * (FULL_SCALE - 1);
    return words;
  };
}

function listenTo(track: MediaStreamTrack, context: AudioContext): AnalyserNode {
  const analyser = new AnalyserNode(context, { fftSize: SOUND.fftSize });
  new MediaStreamAudioSourceNode(context, { mediaStream: new MediaStream([track]) }).connect(analyser);
  return analyser;
}

/** A look at an element: the number of its decoded pictures, and whether the picture differs from the former one. */
interface Look {
  readonly at: number;
  readonly frames: number;
  readonly hasMoved: boolean;
}

/** Returns a function that measures the pictures of an element. It looks at them from now on. */
function pictureOf(element: HTMLMediaElement): () => Picture {
  if (!(element instanceof HTMLVideoElement)) return () => ({ fps: 0, marker: 'none' });
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('this browser has no canvas');
  const differs = createMotionSense();
  let looks: readonly Look[] = [];
  setInterval(() => {
    const now = performance.now();
    const { totalVideoFrames: frames } = element.getVideoPlaybackQuality();
    looks = looks.filter(({ at }) => now - at <= SPAN_MS);
    if (element.srcObject === null || frames === looks.at(-1)?.frames) return;
    context.drawImage(element, 0, 0, WIDTH, HEIGHT);
    const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
    looks = [...looks, { at: now, frames, hasMoved: differs(greenOf(data), WIDTH, HEIGHT) }];
  }, LOOK_MS);
  return () => {
    const [first, last] = [looks[0], looks.at(-1)];
    const shown = first && last ? last.frames - first.frames : 0;
    const seconds = first && last ? (last.at - first.at) / 1_000 : 0;
    return {
      fps: seconds > 0 ? Math.round(Math.max(0, shown) / seconds) : 0,
      marker: shown > 0 && looks.some(({ hasMoved }) => hasMoved) ? 'advancing' : 'none',
    };
  };
}

/** Returns the green of each pixel, which has most of its brightness. */
const greenOf = (pixels: Uint8ClampedArray): Uint8ClampedArray =>
  Uint8ClampedArray.from({ length: pixels.length / 4 }, (_, at) => pixels[4 * at + 1] ?? 0);
