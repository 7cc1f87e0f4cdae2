/** Pictures out of what a media element shows. */
export interface FramesPort {
  /** Does this element show a video that has a picture by now? */
  hasPicture(element: HTMLMediaElement): boolean;
  /** The picture as it is now, in its own size: the data URL of a PNG image. Throws where it cannot be had. */
  draw(element: HTMLMediaElement): string;
}
