import { type RefObject, useEffect, useRef } from 'react';
import { CallVideo } from '../../../../../react/index.ts';
import styles from './remote-video.module.css';

interface RemoteVideoProps {
  /** The key of the call. */
  call: string;
  shown: boolean;
  /** The element that plays the other user. */
  video: RefObject<HTMLVideoElement | null>;
}

/** Shows the whole remote picture over a blurred copy of it, and plays the sound of the other user. */
export function RemoteVideo({ call, shown, video }: RemoteVideoProps) {
  const backdrop = useRef<HTMLCanvasElement>(null);

  useEffect(
    () => (video.current && backdrop.current ? paintBackdrop(video.current, backdrop.current) : undefined),
    [video],
  );

  return (
    <div className={styles.remote} data-shown={shown || undefined}>
      <canvas ref={backdrop} width={48} height={27} aria-hidden="true" />
      <CallVideo ref={video} call={call} side="remote" />
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
