import { LIMITS } from '../../protocol/limits.ts';

export interface VideoSettings {
  /** Pixels; left to the camera when absent. */
  readonly width?: number | undefined;
  /** Pixels; left to the camera when absent. */
  readonly height?: number | undefined;
  /** Frames a second; 24 when absent (§9). */
  readonly frameRate?: number | undefined;
  /** The camera that faces the user; default true. */
  readonly frontCamera?: boolean | undefined;
}

/**
 * The camera to ask for: a certain one, or one that faces the user or away. All but the certain one are wishes: a camera
 * that cannot keep them is better than none, and a demand would refuse every laptop, whose only camera faces nowhere.
 */
export function videoConstraints(
  settings: VideoSettings,
  { deviceId, front }: { readonly deviceId?: string | undefined; readonly front: boolean },
): MediaTrackConstraints {
  const { width, height, frameRate } = settings;
  return {
    ...(width === undefined ? {} : { width: { ideal: width } }),
    ...(height === undefined ? {} : { height: { ideal: height } }),
    frameRate: { ideal: frameRate ?? LIMITS.videoFrameRate },
    ...(deviceId ? { deviceId: { exact: deviceId } } : { facingMode: { ideal: front ? 'user' : 'environment' } }),
  };
}
