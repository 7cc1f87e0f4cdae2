/** Captures pictures from media elements. */
export interface FramesPort {
  /** Returns whether this element shows a video that has a picture. */
  hasPicture(element: HTMLMediaElement): boolean;
  /** Returns the present picture in its own size, as the data URL of a PNG image. Throws when it cannot be read. */
  draw(element: HTMLMediaElement): string;
}
