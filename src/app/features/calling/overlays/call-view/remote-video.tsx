import { useCallback, useRef } from 'react';
import { paintBackdrop } from './paint-backdrop.ts';
import styles from './remote-video.module.css';

interface RemoteVideoProps {
  shown: boolean;
  /** The element to play in, and `null` when it goes. */
  onElement(element: HTMLMediaElement | null): void;
}

/** The other side's picture, whole, whatever its shape, over a blurred copy of itself. It also carries their voice. */
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
