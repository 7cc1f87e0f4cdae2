const RATIO = 3 / 4;
const HEIGHT = 1_600;
const QUALITY = 0.9;

/** What of a picture is kept: as much of its middle as is 3:4, a little above the middle, where faces are. */
export function portraitCut(width: number, height: number): { x: number; y: number; width: number; height: number } {
  const cut = width / height > RATIO ? { width: height * RATIO, height } : { width, height: width / RATIO };
  return { ...cut, x: (width - cut.width) / 2, y: (height - cut.height) * 0.35 };
}

/** A picture cut to 3:4 and made no larger than is shown, as JPEG. Rejects where it is none. */
export async function cropToPortrait(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const cut = portraitCut(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.height = Math.round(Math.min(HEIGHT, cut.height));
  canvas.width = Math.round(canvas.height * RATIO);
  canvas.getContext('2d')?.drawImage(picture, cut.x, cut.y, cut.width, cut.height, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be made'))),
      'image/jpeg',
      QUALITY,
    );
  });
}
