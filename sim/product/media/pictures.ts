import type { MediaReason } from '../../../src/protocol/product/media.ts';
import { Refusal } from '../refusal.ts';
import type sharp from 'sharp';
import { WorkQueue } from '../work-queue.ts';

/** A picture that was encoded again: upright, and without the camera's data. */
export interface Picture {
  readonly full: Uint8Array;
  readonly small: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The fault that a review finds. Null without one. */
  readonly fault: MediaReason | null;
}

export const PICTURE_TYPE = 'image/webp';

/** The most pixels of a picture. Phones take up to 50 million, but a file of a few kilobytes may claim billions. */
const PIXELS = 50_000_000;
const FULL_SIDE = 1_600;
const SMALL_SIDE = 480;
const QUALITY = 82;
/** A face is not recognizable below this size. Pixels. */
const LEAST_SIDE = 200;
/** The least contrast of 255. Lower is a covered lens or a plain page. */
const LEAST_CONTRAST = 4;

/**
 * Encodes a picture again. @throws Refusal `wrong_file` when it is unreadable, `too_large` when it has too many pixels,
 * `busy`.
 */
export function makePicture(bytes: Uint8Array): Promise<Picture> {
  return withSharp(async (sharp) => {
    const read = () => sharp(bytes, { limitInputPixels: PIXELS, failOn: 'error', sequentialRead: true }).autoOrient();
    try {
      const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
      if (width * height > PIXELS) throw new Refusal('too_large', `A picture may have at most ${PIXELS} pixels.`);
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

/** Each job takes a thread, and up to 200 MB of memory for the largest picture. */
const queue = new WorkQueue({ atOnce: 2, waiting: 32 });

/** The loaders of the accepted formats. All others are blocked, such as SVG and PDF. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

let loading: Promise<typeof sharp> | undefined;

/** Loads the native code, which is not needed before the first picture. */
async function load(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: LOADERS });
  // Leaves the other cores to calls.
  loaded.concurrency(1);
  return loaded;
}

/** Runs a job on a picture in its turn. @throws Refusal `busy`, and the errors of the job. */
export function withSharp<T>(work: (loaded: typeof sharp) => Promise<T>): Promise<T> {
  return queue.run(async () => {
    loading ??= load();
    return work(await loading);
  });
}
