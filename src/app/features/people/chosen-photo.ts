const RATIO = 3 / 4;
const HEIGHT = 1_600;
const QUALITY = 0.9;

/**
 * The visible part of a picture: the zoom, 1 to {@link NEAREST}, and the position within the remaining space, 0 to 1.
 */
export interface PhotoView {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** A picture that the user has chosen, with its size in pixels and its visible part. */
export interface ChosenPhoto {
  readonly file: Blob;
  readonly width: number;
  readonly height: number;
  readonly view: PhotoView;
}

/** A rectangle of a picture in pixels. */
export interface Cut {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const NEAREST = 3;

/** The largest 3:4 part, a little above the middle, where faces usually are. */
const FIRST_VIEW: PhotoView = { zoom: 1, x: 0.5, y: 0.35 };

/** Returns the visible part in pixels of the picture. It is always 3:4 and within the edges. */
export function cutOf({ width, height, view }: Pick<ChosenPhoto, 'width' | 'height' | 'view'>): Cut {
  const widest = width / height > RATIO ? { width: height * RATIO, height } : { width, height: width / RATIO };
  const zoom = between(view.zoom, 1, NEAREST);
  const cut = { width: widest.width / zoom, height: widest.height / zoom };
  return {
    ...cut,
    x: (width - cut.width) * between(view.x, 0, 1),
    y: (height - cut.height) * between(view.y, 0, 1),
  };
}

/** Returns the view after a drag. The distances are shares of the frame. */
export function draggedBy(
  photo: Pick<ChosenPhoto, 'width' | 'height' | 'view'>,
  right: number,
  down: number,
): PhotoView {
  const cut = cutOf(photo);
  const { view, width, height } = photo;
  const room = { x: width - cut.width, y: height - cut.height };
  return {
    ...view,
    x: room.x > 0 ? between(view.x - (right * cut.width) / room.x, 0, 1) : view.x,
    y: room.y > 0 ? between(view.y - (down * cut.height) / room.y, 0, 1) : view.y,
  };
}

const between = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/**
 * Reads the size of a picture.
 * @throws DOMException when the file is not a picture.
 */
export async function readPhoto(file: Blob): Promise<ChosenPhoto> {
  const picture = await createImageBitmap(file);
  const { width, height } = picture;
  picture.close();
  return { file, width, height, view: FIRST_VIEW };
}

/** Returns the visible part as a JPEG, no larger than the app shows it. */
export async function portraitOf(photo: ChosenPhoto): Promise<Blob> {
  const picture = await createImageBitmap(photo.file);
  const cut = cutOf(photo);
  const canvas = document.createElement('canvas');
  canvas.height = Math.round(Math.min(HEIGHT, cut.height));
  canvas.width = Math.round(canvas.height * RATIO);
  canvas.getContext('2d')?.drawImage(picture, cut.x, cut.y, cut.width, cut.height, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser cannot encode the picture'))),
      'image/jpeg',
      QUALITY,
    );
  });
}
