import { useCallback, useRef } from 'react';
import styles from './remote-video.module.css';

interface RemoteVideoProps {
  shown: boolean;
  /** Receives the media element, and `null` when it is removed. */
  onElement(element: HTMLMediaElement | null): void;
}

/** Shows the whole remote picture over a blurred copy of it, and plays the sound of the other user. */
export function RemoteVideo({ shown, onElement }: RemoteVideoProps) {
  const backdrop = useRef<HTMLCanvasElement>(null);

  const attach = useCallback(
    (video: HTMLVideoElement) => {
      onElement(video);
      const stopPainting = backdrop.current === null ? undefined : paintBackdrop(video, backdrop.current);
      return () => {
        stopPainting?.();
        onElement(null);
      };
    },
    [onElement],
  );

  return (
    <div className={styles.remote} data-shown={shown || undefined}>
      <canvas ref={backdrop} width={48} height={27} aria-hidden="true" />
      <video ref={attach} autoPlay playsInline />
    </div>
  );
}

const WIDTH = 48;
const EVERY_NTH_FRAME = 6;

/**
 * Keeps a small, blurred copy of a video on a canvas, behind a picture that does not fill the screen. A second video
 * element would decode and blur full frames. The canvas paints a few hundred pixels, a few times a second, when a frame
 * arrives. Returns the function that stops this.
 */
function paintBackdrop(video: HTMLVideoElement, canvas: HTMLCanvasElement): () => void {
  const context = canvas.getContext('2d');
  if (context === null || !('requestVideoFrameCallback' in video)) return () => {};
  let frames = 0;
  let handle = 0;

  function onFrame(): void {
    if (context !== null && frames % EVERY_NTH_FRAME === 0 && video.videoWidth > 0) {
      canvas.width = WIDTH;
      canvas.height = Math.max(1, Math.round((WIDTH * video.videoHeight) / video.videoWidth));
      context.drawImage(video, 0, 0, canvas.width, canvas.height);
    }
    frames += 1;
    handle = video.requestVideoFrameCallback(onFrame);
  }

  handle = video.requestVideoFrameCallback(onFrame);
  return () => video.cancelVideoFrameCallback(handle);
}
