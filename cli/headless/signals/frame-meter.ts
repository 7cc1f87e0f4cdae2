/**
 * Measures received video by its content: how many frames came, how many carried a readable marker, whether the markers
 * rise, and where the picture stood still. Pure: the caller reads the marker and says when the frame came.
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
  readonly freezes: number;
  /** Length of the longest gap between two frames, milliseconds. */
  readonly longestGapMs: number;
  /** The verdict: markers were read, and rose. */
  readonly ok: boolean;
}

export interface FrameMeter {
  /** Adds a frame that came at `atMs`, with the number its marker gave, or null. */
  add(atMs: number, marker: number | null, width: number, height: number): void;
  reading(): FrameReading;
}

export function createFrameMeter(): FrameMeter {
  let frames = 0;
  let firstAt = 0;
  let lastAt = 0;
  let size = { width: 0, height: 0 };
  let markers = 0;
  let lastMarker: number | null = null;
  let rising = 0;
  let steps = 0;
  let missed = 0;
  let freezes = 0;
  let longestGapMs = 0;
  const gaps: number[] = [];

  const addGap = (gap: number) => {
    longestGapMs = Math.max(longestGapMs, gap);
    const mean = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
    if (gaps.length > 0 && gap >= Math.max(3 * mean, mean + FREEZE_MS)) freezes += 1;
    gaps.push(gap);
    if (gaps.length > GAP_MEMORY) gaps.shift();
  };

  return {
    add(atMs, marker, width, height) {
      if (frames === 0) firstAt = atMs;
      else addGap(atMs - lastAt);
      frames += 1;
      lastAt = atMs;
      size = { width, height };
      if (marker === null) return;
      markers += 1;
      if (lastMarker !== null && marker !== lastMarker) {
        const up = (marker - lastMarker + MARKER_MODULUS) % MARKER_MODULUS;
        steps += 1;
        // More than half the range ahead is a step back: the number starts again after 65535.
        if (up < MARKER_MODULUS / 2) {
          rising += 1;
          missed += up - 1;
        }
      }
      lastMarker = marker;
    },
    reading() {
      const seconds = (lastAt - firstAt) / 1000;
      return {
        frames,
        fps: seconds > 0 ? (frames - 1) / seconds : 0,
        ...size,
        markers,
        rising,
        steps,
        missed,
        freezes,
        longestGapMs,
        ok: steps > 0 && markers >= READABLE_SHARE * frames && rising >= RISING_SHARE * steps,
      };
    },
  };
}
