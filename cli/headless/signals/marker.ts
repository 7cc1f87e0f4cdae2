/**
 * The marker: the number of a frame, drawn into the picture so that the other side can read it.
 *
 *     +--+--+--+--+--+ ... +--+   16 blocks: the number, highest bit first, white is 1
 *     +--+--+--+--+--+ ... +--+   16 blocks: its checksum (CRC-16)
 *     |     the moving bars   |
 *
 * Two rows of blocks along the top edge, each a sixteenth of the width and a twelfth of the height. Only luma is used
 * and only the middle of a block is read, so the code survives a low bit rate and being scaled to another size. A
 * picture without enough contrast, or with a wrong checksum, reads as null: never as a wrong number.
 *
 * No imports: the same file measures in Node and inside a page.
 */

export const MARKER_COLUMNS = 16;
export const MARKER_ROWS = 2;

/** Numbers run from 0 to this and then restart: 45 minutes at 24 frames a second. */
export const MARKER_MODULUS = 0x1_0000;

/** The height of a row of blocks, as a part of the height of the picture. */
export const MARKER_ROW_HEIGHT = 1 / 12;

/** The minimum difference, in luma steps, between black and white blocks. */
const CONTRAST = 60;

/** Computes the CRC-16 (CCITT) of a 16-bit number. An error in up to three blocks changes it. */
export function markerChecksum(value: number): number {
  let crc = 0xffff;
  for (let bit = 15; bit >= 0; bit -= 1) {
    const mixed = ((crc >> 15) ^ (value >> bit)) & 1;
    crc = ((crc << 1) & 0xffff) ^ (mixed ? 0x1021 : 0);
  }
  return crc;
}

/** Returns the 32 blocks of a number, row by row. True is white. */
export function markerBlocks(counter: number): boolean[] {
  const value = counter % MARKER_MODULUS;
  const blocks: boolean[] = [];
  for (const word of [value, markerChecksum(value)]) {
    for (let bit = MARKER_COLUMNS - 1; bit >= 0; bit -= 1) blocks.push(((word >> bit) & 1) === 1);
  }
  return blocks;
}

/** Reads the number from a plane of luma (an I420 picture begins with one). Null without a readable marker. */
export function readMarker(
  luma: ArrayLike<number>,
  width: number,
  height: number,
  stride: number = width,
): number | null {
  return decode(width, height, (x, y) => luma[y * stride + x] as number);
}

/** Reads the number from RGBA pixels, such as those of a canvas. Null without a readable marker. */
export function readMarkerRgba(pixels: ArrayLike<number>, width: number, height: number): number | null {
  return decode(width, height, (x, y) => {
    const at = (y * width + x) * 4;
    return 0.299 * (pixels[at] as number) + 0.587 * (pixels[at + 1] as number) + 0.114 * (pixels[at + 2] as number);
  });
}

function decode(width: number, height: number, luma: (x: number, y: number) => number): number | null {
  const blockWidth = width / MARKER_COLUMNS;
  const blockHeight = height * MARKER_ROW_HEIGHT;
  if (blockWidth < 2 || blockHeight < 2) return null;
  const levels: number[] = [];
  for (let row = 0; row < MARKER_ROWS; row += 1) {
    for (let column = 0; column < MARKER_COLUMNS; column += 1) {
      levels.push(blockLevel(column * blockWidth, row * blockHeight, blockWidth, blockHeight, luma));
    }
  }
  const dark = Math.min(...levels);
  const bright = Math.max(...levels);
  if (bright - dark < CONTRAST) return null;
  const middle = (dark + bright) / 2;
  const doubtful = (bright - dark) / 8;
  let value = 0;
  let checksum = 0;
  for (const [index, level] of levels.entries()) {
    if (Math.abs(level - middle) < doubtful) return null;
    const bit = level > middle ? 1 : 0;
    if (index < MARKER_COLUMNS) value = (value << 1) | bit;
    else checksum = (checksum << 1) | bit;
  }
  return checksum === markerChecksum(value) ? value : null;
}

/**
 * Returns the mean luma of the middle of a block: 5 by 5 points in its central half, away from neighbours that bleed
 * in.
 */
function blockLevel(
  left: number,
  top: number,
  width: number,
  height: number,
  luma: (x: number, y: number) => number,
): number {
  const points = 5;
  let sum = 0;
  for (let row = 0; row < points; row += 1) {
    const y = Math.floor(top + height * (0.25 + (0.5 * (row + 0.5)) / points));
    for (let column = 0; column < points; column += 1) {
      sum += luma(Math.floor(left + width * (0.25 + (0.5 * (column + 0.5)) / points)), y);
    }
  }
  return sum / (points * points);
}
