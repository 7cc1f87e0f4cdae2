import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { FramesPort } from '../platform/frames.ts';

/** A still picture of the local or the remote video. */
export class CaptureVideoViewResult {
  /** The picture in its own size, as the data URL of a PNG image. It fits the `src` of an `img`. */
  readonly data: string;

  /** @internal */
  constructor(data: string) {
    this.data = data;
  }
}

/** A function that gets the captured picture, or the error. */
export type CaptureVideoViewHandler = (result?: CaptureVideoViewResult, error?: CallError) => void;

export interface CapturedCall {
  readonly isVideoCall: boolean;
  isConnected(): boolean;
  isOnHold(): boolean;
}

/**
 * Captures the picture that a view of a call shows now (§5, frame capture).
 *
 * @throws CallError, in this order: `ERR_CAPTURE_NOT_ALLOWED_ON_AUDIO_CALL` in a voice call.
 *   `ERR_VIDEO_CALL_NOT_CONNECTED_YET` when the call is not connected. `ERR_VIDEO_VIEW_NOT_READY` without a video
 *   element with a picture. `ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD` on hold. `FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM`
 *   when the picture cannot be read.
 */
export function captureView(
  call: CapturedCall,
  element: HTMLMediaElement | null,
  frames: FramesPort,
): CaptureVideoViewResult {
  if (!call.isVideoCall) throw new CallError(ErrorCode.ERR_CAPTURE_NOT_ALLOWED_ON_AUDIO_CALL);
  if (!call.isConnected()) throw new CallError(ErrorCode.ERR_VIDEO_CALL_NOT_CONNECTED_YET);
  if (!element || !frames.hasPicture(element)) throw new CallError(ErrorCode.ERR_VIDEO_VIEW_NOT_READY);
  if (call.isOnHold()) throw new CallError(ErrorCode.ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD);
  try {
    return new CaptureVideoViewResult(frames.draw(element));
  } catch (cause) {
    throw new CallError(ErrorCode.FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM, { cause });
  }
}
