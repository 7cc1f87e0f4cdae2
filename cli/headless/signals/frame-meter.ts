/**
 * Measures received video by its content: the frames, the readable markers, whether the markers rise, whether the
 * picture changes, and where it froze. Pure: the caller reads the frame and passes its time.
 */
import { MARKER_MODULUS } from './marker.ts';

/** A gap is a freeze when it is three mean gaps long and at least this much over one (the rule of webrtc-stats). */
const FREEZE_MS = 150;
/** The number of gaps in the running mean. */
const GAP_MEMORY = 30;
/** Markers count as read, and as rising, from these shares on, because a lost packet costs one or two frames. */
const READABLE_SHARE = 0.8;
const RISING_SHARE = 0.95;

export interface FrameReading {
  readonly frames: number;
  /** Frames per second between the first frame and the last. */
  readonly fps: number;
  readonly width: number;
  readonly height: number;
  /** The number of frames with a readable marker. */
  readonly markers: number;
  /** The number of marker changes that went up, and of all changes. */
  readonly rising: number;
  readonly steps: number;
  /** Numbers skipped between two readable markers: frames that were dropped, or not readable. */
  readonly missed: number;
  /** The number of frames that differ from the previous frame. For frames with a marker, the marker decides. */
  readonly moved: number;
  readonly freezes: number;
  /** The longest gap between two frames, with the current one, milliseconds. */
  readonly longestGapMs: number;
  /** The verdict: true when markers were read, and rose. */
  readonly ok: boolean;
}

/** The reading of an ended span. */
export interface FrameSpan extends FrameReading {
  /** Milliseconds from the last frame to the end of the span. */
  readonly sinceLastMs: number;
}

export interface FrameMeter {
  /**
   * Adds a frame at `atMs`, with the number of its marker. Null without a readable marker. `hasMoved` is whether a
   * picture
   * without a marker differs from the previous one.
   */
  add(atMs: number, marker: number | null, width: number, height: number, hasMoved?: boolean): void;
  /** Returns the reading since the meter was created, or since the last turn. */
  reading(): FrameReading;
  /**
   * Ends a span. Returns its reading, with the gap that continues at `atMs`. Resets the counts, but keeps the rhythm.
   */
  turn(atMs: number): FrameSpan;
  /** Resets the rhythm: the next gap begins at `atMs`. For a time in which no picture was due. */
  rest(atMs: number): void;
}

export function createFrameMeter(): FrameMeter {
  let span = emptySpan();
  let size = { width: 0, height: 0 };
  /** The frame at which the next gap begins. Before the first frame, the time of the first turn. */
  let lastAt: number | null = null;
  let isFirst = true;
  let lastMarker: number | null = null;
  const rhythm = createRhythm();

  const noteGap = (gap: number) => {
    span.longestGapMs = Math.max(span.longestGapMs, gap);
    if (rhythm.freezes(gap)) span.freezes += 1;
  };
  const addMarker = (marker: number) => {
    span.markers += 1;
    if (lastMarker !== null && marker !== lastMarker) countStep(span, lastMarker, marker);
    lastMarker = marker;
  };
  const read = (): FrameReading => {
    const { firstAt, ...counts } = span;
    const seconds = firstAt === null || lastAt === null ? 0 : (lastAt - firstAt) / 1000;
    return { ...counts, ...size, fps: seconds > 0 ? (span.frames - 1) / seconds : 0, ok: hasGoodMarkers(span) };
  };

  return {
    add(atMs, marker, width, height, hasMoved = false) {
      if (lastAt !== null) {
        noteGap(atMs - lastAt);
        // The wait for the first frame does not belong to the rhythm.
        rhythm.ends(isFirst ? null : atMs - lastAt);
      }
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
      rhythm.ends(null);
      lastMarker = null;
    },
  };
}

/** The rhythm of frames, which decides whether a gap is a freeze. */
interface Rhythm {
  /** Returns whether a gap has become a freeze. A gap becomes one only once. */
  freezes(gap: number): boolean;
  /** Ends a gap, and adds it to the rhythm. Null for a gap that does not belong to the rhythm. */
  ends(gap: number | null): void;
}

function createRhythm(): Rhythm {
  const gaps: number[] = [];
  let isFrozen = false;
  return {
    freezes(gap) {
      const mean = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
      if (isFrozen || gaps.length === 0 || gap < Math.max(3 * mean, mean + FREEZE_MS)) return false;
      isFrozen = true;
      return true;
    },
    ends(gap) {
      isFrozen = false;
      if (gap !== null) gaps.push(gap);
      if (gaps.length > GAP_MEMORY) gaps.shift();
    },
  };
}

/** Counts the step from one marker to another. */
function countStep(span: ReturnType<typeof emptySpan>, from: number, to: number): void {
  const up = (to - from + MARKER_MODULUS) % MARKER_MODULUS;
  span.steps += 1;
  span.moved += 1;
  // More than half the range ahead is a step back: the number restarts after 65535.
  if (up >= MARKER_MODULUS / 2) return;
  span.rising += 1;
  span.missed += up - 1;
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

/** Returns whether markers were read, and rose. */
export function hasGoodMarkers({
  frames,
  markers,
  rising,
  steps,
}: Pick<FrameReading, 'frames' | 'markers' | 'rising' | 'steps'>): boolean {
  return steps > 0 && markers >= READABLE_SHARE * frames && rising >= RISING_SHARE * steps;
}
