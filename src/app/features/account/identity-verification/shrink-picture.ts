const EDGE = 1_600;
const QUALITY = 0.85;

/**
 * Returns a picture as a JPEG in base64, at most 1600 pixels wide and high.
 * @throws Error when the source is not a picture.
 */
export async function shrinkPicture(source: Blob | HTMLVideoElement): Promise<string> {
  const picture = await createImageBitmap(source);
  const scale = Math.min(1, EDGE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL('image/jpeg', QUALITY).replace(/^data:[^,]*,/, '');
}
