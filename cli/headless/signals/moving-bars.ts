/**
 * The test picture: moving colour bars, which give the encoder work, under the marker, which identifies the frame. It
 * is drawn as I420, the format of a WebRTC video source. Rows are copied from one prepared line, which takes a few
 * microseconds a frame.
 */
import { MARKER_COLUMNS, MARKER_ROW_HEIGHT, MARKER_ROWS, markerBlocks } from './marker.ts';

/** A picture as I420: a plane of luma, then two of chroma at half the size. */
export interface I420Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** White, yellow, cyan, green, magenta, red, blue, black at 75 %, as [Y, U, V] (BT.601, limited range). */
const BARS = [
  [180, 128, 128],
  [162, 44, 142],
  [131, 156, 44],
  [112, 72, 58],
  [84, 184, 198],
  [65, 100, 212],
  [35, 212, 114],
  [16, 128, 128],
] as const;

const WHITE = 235;
const BLACK = 16;
const NEUTRAL = 128;

/** Pixels by which the bars move in a frame. Even, so that chroma moves by whole pixels too. */
const SPEED = 2;

export interface MovingBars {
  /** Draws frame `counter`. Returns a new picture each time, because the native source may keep it. */
  draw(counter: number): I420Picture;
}

/** Creates a painter of moving bars. Width and height must be even and at least 64 by 48. */
export function createMovingBars(width: number, height: number): MovingBars {
  if (width % 2 !== 0 || height % 2 !== 0 || width < 64 || height < 48) {
    throw new RangeError(`A picture of ${width}x${height} cannot carry the marker: even sizes from 64x48 on can.`);
  }
  const chromaWidth = width / 2;
  const chromaHeight = height / 2;
  // Twice the width, so that each shifted row is one copy.
  const lines = [0, 1, 2].map((plane) => {
    const length = plane === 0 ? width : chromaWidth;
    return Uint8ClampedArray.from({ length: length * 2 }, (_, x) => {
      const bar = BARS[Math.floor(((x % length) * BARS.length) / length)] as readonly number[];
      return bar[plane] as number;
    });
  });
  const markerBottom = evenUp(height * MARKER_ROW_HEIGHT * MARKER_ROWS);
  const chromaStart = width * height;
  const chromaSize = chromaWidth * chromaHeight;

  return {
    draw(counter) {
      const data = new Uint8ClampedArray(chromaStart + 2 * chromaSize);
      const shift = (counter * SPEED) % width;
      const luma = (lines[0] as Uint8ClampedArray).subarray(shift, shift + width);
      for (let y = markerBottom; y < height; y += 1) data.set(luma, y * width);
      for (const plane of [1, 2] as const) {
        const start = chromaStart + (plane - 1) * chromaSize;
        const chroma = (lines[plane] as Uint8ClampedArray).subarray(shift / 2, shift / 2 + chromaWidth);
        data.fill(NEUTRAL, start, start + (markerBottom / 2) * chromaWidth);
        for (let y = markerBottom / 2; y < chromaHeight; y += 1) data.set(chroma, start + y * chromaWidth);
      }
      drawMarker(data, width, height, markerBottom, counter);
      return { width, height, data };
    },
  };
}

function drawMarker(data: Uint8ClampedArray, width: number, height: number, bottom: number, counter: number): void {
  const blocks = markerBlocks(counter);
  for (let row = 0; row < MARKER_ROWS; row += 1) {
    const top = Math.round(row * height * MARKER_ROW_HEIGHT);
    const end = row === MARKER_ROWS - 1 ? bottom : Math.round((row + 1) * height * MARKER_ROW_HEIGHT);
    for (let column = 0; column < MARKER_COLUMNS; column += 1) {
      const level = blocks[row * MARKER_COLUMNS + column] ? WHITE : BLACK;
      const left = Math.round((column * width) / MARKER_COLUMNS);
      data.fill(level, top * width + left, top * width + Math.round(((column + 1) * width) / MARKER_COLUMNS));
    }
    const line = data.slice(top * width, (top + 1) * width);
    for (let y = top + 1; y < end; y += 1) data.set(line, y * width);
  }
}

function evenUp(value: number): number {
  return Math.ceil(value / 2) * 2;
}
