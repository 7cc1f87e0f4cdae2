import type { FramesPort } from '../frames.ts';

const PNG = 'image/png';

export function browserFrames(): FramesPort {
  return {
    hasPicture: (element) =>
      isVideo(element) &&
      element.srcObject !== null &&
      element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA &&
      element.videoWidth > 0,
    draw(element) {
      if (!isVideo(element)) throw new TypeError('only a video has pictures');
      const canvas = document.createElement('canvas');
      canvas.width = element.videoWidth;
      canvas.height = element.videoHeight;
      const context = canvas.getContext('2d', { alpha: false });
      if (!context) throw new Error('there is no canvas to draw on');
      context.drawImage(element, 0, 0);
      const image = canvas.toDataURL(PNG);
      // The result of a browser without memory for the picture.
      if (!image.startsWith(`data:${PNG}`)) throw new Error('the canvas gave no image');
      return image;
    },
  };
}

const isVideo = (element: HTMLMediaElement): element is HTMLVideoElement => element instanceof HTMLVideoElement;
