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
 * Takes the picture that a view of a call shows now (§5, frame capture).
 *
 * @throws CallError, in this order: 1800600 in a voice call; 1800602 when the call is not connected; 1800601 when there
 *   is no video element with a picture; 1800631 on hold; 1800603 when the picture cannot be had.
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
