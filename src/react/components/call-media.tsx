import { type AudioHTMLAttributes, type VideoHTMLAttributes, forwardRef, useCallback } from 'react';
import type { CallSide } from '../calls/line.ts';
import { useRingback } from '../ringback-context.ts';
import { useAttached } from './use-attached.ts';

/** The props of {@link CallAudio}, and those of the element. */
export interface CallAudioProps extends AudioHTMLAttributes<HTMLAudioElement> {
  /** The key of the call. */
  readonly call: string;
}

/** The props of {@link CallVideo}, and those of the element. */
export interface CallVideoProps extends VideoHTMLAttributes<HTMLVideoElement> {
  /** The key of the call. */
  readonly call: string;
  /** The picture of this user, which is muted, or the picture and the sound of the other user. */
  readonly side: CallSide;
}

/** A `video` element that shows one side of a call while it is mounted. */
export const CallVideo = /* @__PURE__ */ forwardRef<HTMLVideoElement, CallVideoProps>(function CallVideo(
  { call, side, ...rest },
  ref,
) {
  const element = useAttached(useShow(call, side), ref);
  return <video ref={element} autoPlay playsInline muted={side === 'local'} {...rest} />;
});

/** An `audio` element that plays the other user of a voice call while it is mounted. */
export const CallAudio = /* @__PURE__ */ forwardRef<HTMLAudioElement, CallAudioProps>(function CallAudio(
  { call, ...rest },
  ref,
) {
  const element = useAttached(useShow(call, 'remote'), ref);
  return <audio ref={element} autoPlay {...rest} />;
});

function useShow(call: string, side: CallSide): (element: HTMLMediaElement) => () => void {
  const { show } = useRingback().calls;
  return useCallback((element: HTMLMediaElement) => show(call, side, element), [show, call, side]);
}
