import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { withSharp } from '../../../sim/product/media/pictures.ts';
import { Refusal } from '../../../sim/product/refusal.ts';
import { stripPicture } from '../../../sim/product/verification/strip-picture.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const INVALID = [400, { code: 'invalid', field: 'picture' }];
const picture = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#b06080' } });

/** Returns the refusal of work on a picture. */
const refusalOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof Refusal ? [error.status, error.body] : error;
};

describe('pictures', () => {
  it('S14: are decoded only as JPEG, PNG and WebP: no other loader runs, for any bytes', async () => {
    const kindOf = (bytes: Uint8Array) => withSharp((loaded) => loaded(bytes).metadata()).then(({ format }) => format);
    expect(await kindOf(await picture().jpeg().toBuffer())).toBe('jpeg');
    expect(await kindOf(await picture().png().toBuffer())).toBe('png');
    expect(await kindOf(await picture().webp().toBuffer())).toBe('webp');
    await expect(kindOf(Buffer.from(SVG))).rejects.toThrow();
    await expect(kindOf(await picture().gif().toBuffer())).rejects.toThrow();
    await expect(kindOf(await picture().tiff().toBuffer())).rejects.toThrow();
  });

  it('S14: of identity documents are refused when they are no picture, or incomplete', async () => {
    for (const bytes of [Buffer.from(SVG), await picture().gif().toBuffer(), Buffer.alloc(0)]) {
      expect(await refusalOf(stripPicture(bytes.toString('base64')))).toMatchObject(INVALID);
    }
    const torn = (await picture().png().toBuffer()).subarray(0, 60);
    expect(await refusalOf(stripPicture(torn.toString('base64')))).toMatchObject(INVALID);
  });

  it('S14: are processed two at a time; 32 more wait, and others are answered with 503, or 400 for invalid first bytes', async () => {
    const ends: (() => void)[] = [];
    const all = Array.from({ length: 34 }, () => withSharp(() => new Promise<void>((resolve) => ends.push(resolve))));
    expect(await refusalOf(stripPicture((await picture().png().toBuffer()).toString('base64')))).toEqual([
      503,
      { code: 'busy', message: 'The server is busy.', retry_after: 5 },
    ]);
    // Its first bytes decide, so it takes no place in the queue.
    expect(await refusalOf(stripPicture(Buffer.from(SVG).toString('base64')))).toMatchObject(INVALID);
    expect(ends).toHaveLength(2);
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    await Promise.all(all);
  });
});
