import type { MediaReason } from '../../../src/protocol/product/media.ts';
import { Refusal } from '../refusal.ts';
import { withSharp } from './with-sharp.ts';

/** A picture made anew: upright, without what its file said of camera and place. */
export interface Picture {
  readonly full: Uint8Array;
  readonly small: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** What a review finds wrong with it. */
  readonly fault: MediaReason | null;
}

export const PICTURE_TYPE = 'image/webp';

/** A telephone takes 50 million pixels; a file of a few kilobytes may claim billions. */
const PIXELS = 50_000_000;
const FULL_SIDE = 1_600;
const SMALL_SIDE = 480;
const QUALITY = 82;
/** Below this a face is a blur. */
const LEAST_SIDE = 200;
/** Of 255: a lens that was covered, a page of one colour. */
const LEAST_CONTRAST = 4;

/** @throws Refusal `wrong_file` where it cannot be read as a picture, `too_large` where it has too many pixels, `busy`. */
export function makePicture(bytes: Uint8Array): Promise<Picture> {
  return withSharp(async (sharp) => {
    const read = () => sharp(bytes, { limitInputPixels: PIXELS, failOn: 'error', sequentialRead: true }).autoOrient();
    try {
      const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
      if (width * height > PIXELS) throw new Refusal('too_large', `A picture may have ${PIXELS} pixels.`);
      const shrunk = { fit: 'inside', withoutEnlargement: true } as const;
      const full = await read()
        .resize(FULL_SIDE, FULL_SIDE, shrunk)
        .webp({ quality: QUALITY })
        .toBuffer({ resolveWithObject: true });
      const small = await sharp(full.data).resize(SMALL_SIDE, SMALL_SIDE, shrunk).webp({ quality: QUALITY }).toBuffer();
      const { channels } = await sharp(small).removeAlpha().stats();
      const contrast = Math.max(...channels.map(({ stdev }) => stdev));
      return {
        full: full.data,
        small,
        width: full.info.width,
        height: full.info.height,
        fault:
          Math.min(full.info.width, full.info.height) < LEAST_SIDE
            ? 'too_small'
            : contrast < LEAST_CONTRAST
              ? 'blank'
              : null,
      };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('wrong_file', 'The file cannot be read as a picture.');
    }
  });
}
