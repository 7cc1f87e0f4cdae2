import { LIMITS } from '../../protocol/limits.ts';

export interface VideoSettings {
  /** The width, pixels. Default: the choice of the camera. */
  readonly width?: number | undefined;
  /** The height, pixels. Default: the choice of the camera. */
  readonly height?: number | undefined;
  /** The frames a second. Default: 24 (§9). */
  readonly frameRate?: number | undefined;
  /** True for the camera that faces the user. Default: true. */
  readonly frontCamera?: boolean | undefined;
}

/**
 * Returns the constraints of a camera: one with a certain id, or one that faces the user or away. All constraints
 * except the id are preferences. A strict one would refuse every laptop, whose only camera faces no side.
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
