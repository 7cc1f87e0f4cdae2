/**
 * A media view that measures instead of showing. A headless caller gives it to the library in place of a video element.
 * All tracks of the streams that the library assigns are measured. The meters outlive streams, so a call that
 * reconnects keeps one account.
 */
import type { Clock } from '../../src/common/clock.ts';
import { addWindow, emptySpan, type SoundSpan } from './measuring/sound-span.ts';
import { listenTo, type MediaSink, watch } from './media/sinks.ts';
import { createFrameMeter, type FrameSpan } from './signals/frame-meter.ts';
import { createToneMeter } from './signals/tone-meter.ts';

export interface MeasuredView {
  /** The replacement of an element, for the library. */
  readonly element: HTMLMediaElement;
  /** Ends a span of the call at `atMs`, by the clock of the view. Returns what arrived in it. */
  turn(atMs: number): { readonly heard: SoundSpan; readonly seen: FrameSpan };
  /** Marks that no picture was due until `atMs`. The wait for the next picture begins there. */
  rest(atMs: number): void;
  /** The time of the first picture, by the clock of the view. Null before it. */
  readonly firstFrameAt: number | null;
  stop(): void;
}

export function createMeasuredView(clock: Pick<Clock, 'now'>): MeasuredView {
  let heard = emptySpan();
  const tone = createToneMeter(undefined, (window) => addWindow(heard, window));
  const frames = createFrameMeter();
  const sinks = new Map<MediaStreamTrack, MediaSink>();
  let firstFrameAt: number | null = null;
  let stream: MediaStream | null = null;

  const countingFrames = {
    add(...frame: Parameters<typeof frames.add>) {
      firstFrameAt ??= frame[0];
      frames.add(...frame);
    },
  };

  const attach = (next: MediaStream | null) => {
    if (next && next !== stream) follow(next, () => stream === next && attach(next));
    stream = next;
    const tracks = new Set(next?.getTracks() ?? []);
    for (const [track, sink] of sinks) {
      if (tracks.has(track)) continue;
      sink.stop();
      sinks.delete(track);
    }
    for (const track of tracks) {
      if (sinks.has(track) || track.readyState === 'ended') continue;
      sinks.set(track, track.kind === 'audio' ? listenTo(track, tone) : watch(track, countingFrames, clock));
    }
  };

  return {
    element: createElement(() => stream, attach),
    turn(atMs) {
      const span = { heard, seen: frames.turn(atMs) };
      heard = emptySpan();
      return span;
    },
    rest: (atMs) => frames.rest(atMs),
    get firstFrameAt() {
      return firstFrameAt;
    },
    stop() {
      attach(null);
    },
  };
}

/** Makes a stream of wrtc report tracks that are added later. An element shows them, but wrtc sends no event. */
function follow(stream: MediaStream, changed: () => void): void {
  const addTrack = stream.addTrack.bind(stream);
  // Defined instead of assigned, because the method of a native stream is read-only.
  Object.defineProperty(stream, 'addTrack', {
    value: (track: MediaStreamTrack) => {
      addTrack(track);
      changed();
    },
  });
}

/** The part of an element that the library uses. */
function createElement(read: () => MediaStream | null, write: (stream: MediaStream | null) => void): HTMLMediaElement {
  const element = {
    autoplay: true,
    muted: false,
    paused: false,
    play: () => Promise.resolve(),
    pause: () => undefined,
    setAttribute: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    get srcObject() {
      return read();
    },
    set srcObject(stream: MediaStream | null) {
      write(stream);
    },
  };
  return element as unknown as HTMLMediaElement;
}
