import { CallError } from '../../protocol/errors.ts';
import type { FramesPort } from '../platform/frames.ts';

/** A still picture of one side of a call. */
export class CaptureVideoViewResult {
  /** The picture as it was shown, in its own size: the data URL of a PNG image, good as the `src` of an `img`. */
  readonly data: string;

  /** @internal */
  constructor(data: string) {
    this.data = data;
  }
}

/** Told what became of a capture: the picture, or why there is none. */
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
  if (!call.isVideoCall) throw new CallError(1800600);
  if (!call.isConnected()) throw new CallError(1800602);
  if (!element || !frames.hasPicture(element)) throw new CallError(1800601);
  if (call.isOnHold()) throw new CallError(1800631);
  try {
    return new CaptureVideoViewResult(frames.draw(element));
  } catch (cause) {
    throw new CallError(1800603, { cause });
  }
}
