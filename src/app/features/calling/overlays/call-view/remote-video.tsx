import { useCallback, useRef } from 'react';
import { paintBackdrop } from './paint-backdrop.ts';
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
