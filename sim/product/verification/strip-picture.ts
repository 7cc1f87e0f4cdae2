import { PHOTO_TYPES } from '../../../src/protocol/product/media.ts';
import { fileKind } from '../media/media.ts';
import { withSharp } from '../media/pictures.ts';
import { Refusal } from '../refusal.ts';

const EDGE = 1_600;
const QUALITY = 82;
const PIXELS = 40_000_000;

/**
 * Encodes a picture again as a JPEG in base64, without the place, time and device that the camera stored.
 *
 * @throws Refusal `invalid` when it is no picture; `busy`.
 */
export async function stripPicture(base64: string): Promise<string> {
  const bytes = Buffer.from(base64, 'base64');
  // The first bytes are checked before any decoder runs.
  const kind = fileKind(bytes);
  if (!PHOTO_TYPES.some((type) => type === kind)) throw notPicture();
  return withSharp(async (sharp) => {
    try {
      const stripped = await sharp(bytes, { limitInputPixels: PIXELS, sequentialRead: true })
        .autoOrient()
        .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: QUALITY })
        .toBuffer();
      return stripped.toString('base64');
    } catch {
      throw notPicture();
    }
  });
}

const notPicture = (): Refusal => new Refusal('invalid', 'picture must be a JPEG, PNG or WebP.', { field: 'picture' });
