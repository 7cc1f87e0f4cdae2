/**
 * Measures received video by its content: how many frames came, how many carried a readable marker, whether the markers
 * rise, whether the picture changes, and where it stood still. Pure: the caller reads the frame and says when it came.
 */
import { MARKER_MODULUS } from './marker.ts';

/** A gap counts as a freeze when it is three mean gaps long and at least this much over one (the rule of webrtc-stats). */
const FREEZE_MS = 150;
/** Gaps the running mean looks back on. */
const GAP_MEMORY = 30;
/** Markers count as read, and as rising, from these shares on: a lost packet costs a frame or two. */
const READABLE_SHARE = 0.8;
const RISING_SHARE = 0.95;

export interface FrameReading {
  readonly frames: number;
  /** Frames a second between the first frame and the last. */
  readonly fps: number;
  readonly width: number;
  readonly height: number;
  /** Frames whose marker could be read. */
  readonly markers: number;
  /** Marker changes that went up, and all changes seen. */
  readonly rising: number;
  readonly steps: number;
  /** Numbers skipped between two readable markers: frames that were dropped, or not readable. */
  readonly missed: number;
  /** Frames that differ from the frame before: of those with a marker, what counts is the marker. */
  readonly moved: number;
  readonly freezes: number;
  /** Length of the longest gap between two frames, milliseconds; of one that goes on, as long as it is by now. */
  readonly longestGapMs: number;
  /** The verdict: markers were read, and rose. */
  readonly ok: boolean;
}

/** The reading of a span that is over. */
export interface FrameSpan extends FrameReading {
  /** Milliseconds from the last frame to the end of the span. */
  readonly sinceLastMs: number;
}

export interface FrameMeter {
  /**
   * Adds a frame that came at `atMs`, with the number its marker gave, or null. `hasMoved` says whether a picture without a
   * marker differs from the one before.
   */
  add(atMs: number, marker: number | null, width: number, height: number, hasMoved?: boolean): void;
  /** Reads what came since the meter was made, or since the last turn. */
  reading(): FrameReading;
  /** Ends a span: returns its reading, with the gap that goes on at `atMs`. Counts begin anew; the rhythm is kept. */
  turn(atMs: number): FrameSpan;
  /** Forgets the rhythm: the next gap begins at `atMs`. For a time in which no picture was to come. */
  rest(atMs: number): void;
}

export function createFrameMeter(): FrameMeter {
  let span = emptySpan();
  let size = { width: 0, height: 0 };
  /** The frame that the next gap begins with; before the first frame, when the first turn was. */
  let lastAt: number | null = null;
  let isFirst = true;
  let isFrozen = false;
  let lastMarker: number | null = null;
  const gaps: number[] = [];

  const noteGap = (gap: number) => {
    span.longestGapMs = Math.max(span.longestGapMs, gap);
    const mean = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
    if (isFrozen || gaps.length === 0 || gap < Math.max(3 * mean, mean + FREEZE_MS)) return;
    span.freezes += 1;
    isFrozen = true;
  };
  const endGap = (gap: number) => {
    noteGap(gap);
    isFrozen = false;
    // The wait for the first frame is no part of the rhythm.
    if (!isFirst) gaps.push(gap);
    if (gaps.length > GAP_MEMORY) gaps.shift();
  };
  const addMarker = (marker: number) => {
    span.markers += 1;
    if (lastMarker !== null && marker !== lastMarker) {
      const up = (marker - lastMarker + MARKER_MODULUS) % MARKER_MODULUS;
      span.steps += 1;
      span.moved += 1;
      // More than half the range ahead is a step back: the number starts again after 65535.
      if (up < MARKER_MODULUS / 2) {
        span.rising += 1;
        span.missed += up - 1;
      }
    }
    lastMarker = marker;
  };
  const read = (): FrameReading => {
    const { firstAt, ...counts } = span;
    const seconds = firstAt === null || lastAt === null ? 0 : (lastAt - firstAt) / 1000;
    return { ...counts, ...size, fps: seconds > 0 ? (span.frames - 1) / seconds : 0, ok: hasGoodMarkers(span) };
  };

  return {
    add(atMs, marker, width, height, hasMoved = false) {
      if (lastAt !== null) endGap(atMs - lastAt);
      span.firstAt ??= atMs;
      span.frames += 1;
      lastAt = atMs;
      isFirst = false;
      size = { width, height };
      if (marker !== null) addMarker(marker);
      else if (hasMoved) span.moved += 1;
    },
    reading: read,
    turn(atMs) {
      if (lastAt !== null) noteGap(atMs - lastAt);
      lastAt ??= atMs;
      const reading = { ...read(), sinceLastMs: atMs - lastAt };
      span = emptySpan();
      return reading;
    },
    rest(atMs) {
      lastAt = atMs;
      isFirst = true;
      isFrozen = false;
      lastMarker = null;
    },
  };
}

const emptySpan = () => ({
  firstAt: null as number | null,
  frames: 0,
  markers: 0,
  rising: 0,
  steps: 0,
  missed: 0,
  moved: 0,
  freezes: 0,
  longestGapMs: 0,
});

/** Whether markers were read, and rose. */
export function hasGoodMarkers({
  frames,
  markers,
  rising,
  steps,
}: Pick<FrameReading, 'frames' | 'markers' | 'rising' | 'steps'>): boolean {
  return steps > 0 && markers >= READABLE_SHARE * frames && rising >= RISING_SHARE * steps;
}
