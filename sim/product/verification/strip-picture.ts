import sharp from 'sharp';
import { Refusal } from '../refusal.ts';

const EDGE = 1_600;
const QUALITY = 82;
const PIXELS = 40_000_000;
const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp']);

/**
 * The picture anew, as a JPEG in base64: without what the camera wrote into it (place, time, device), and nothing but a picture.
 *
 * @throws Refusal invalid: it is none.
 */
export async function stripPicture(base64: string): Promise<string> {
  try {
    const picture = sharp(Buffer.from(base64, 'base64'), { limitInputPixels: PIXELS });
    const { format } = await picture.metadata();
    if (!FORMATS.has(format)) throw new Error(`It is a ${format}.`);
    const stripped = await picture
      .rotate()
      .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: QUALITY })
      .toBuffer();
    return stripped.toString('base64');
  } catch {
    throw new Refusal('invalid', 'picture is no JPEG, PNG or WebP.', { field: 'picture' });
  }
}
