import { type VideoHTMLAttributes, forwardRef, useCallback } from 'react';
import { useAttached } from './use-attached.ts';

/** The props of {@link StreamVideo}, and those of the element. */
export interface StreamVideoProps extends VideoHTMLAttributes<HTMLVideoElement> {
  /** The stream. Null shows nothing. */
  readonly stream: MediaProvider | null;
}

/** A `video` element that shows a stream while it is mounted, such as that of `useDevicePreview`. */
export const StreamVideo = /* @__PURE__ */ forwardRef<HTMLVideoElement, StreamVideoProps>(function StreamVideo(
  { stream, ...rest },
  ref,
) {
  const show = useCallback(
    (element: HTMLVideoElement) => {
      element.srcObject = stream;
      return () => {
        element.srcObject = null;
      };
    },
    [stream],
  );
  const element = useAttached(show, ref);
  return <video ref={element} autoPlay playsInline muted {...rest} />;
});
