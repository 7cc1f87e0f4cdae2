import type { DevicesPort } from '../platform/devices.ts';
import type { MediaDevices } from './media-devices.ts';
import { videoConstraints, type VideoSettings } from './video-constraints.ts';

export type TrackKind = 'audio' | 'video';

/** The kind of device that a track comes from. */
export const INPUT = { audio: 'audioinput', video: 'videoinput' } as const satisfies Record<TrackKind, MediaDeviceKind>;

/** The device to open. Without an id the browser chooses, a camera by the side that it faces. */
export interface Wish {
  readonly deviceId?: string | undefined;
  readonly front?: boolean;
}

export interface DeviceTracksOptions {
  readonly devices: DevicesPort;
  readonly choice: Pick<MediaDevices, 'wish' | 'opened'>;
  /** Runs when a device is gone, or the user withdrew the permission. */
  readonly ended: (kind: TrackKind, track: MediaStreamTrack) => void;
}

/** Opens devices and holds their tracks, also silent and black ones, until each is released or all are closed. */
export class DeviceTracks {
  readonly #options: DeviceTracksOptions;
  /**
   * Each track with the controller that removes its listeners. A browser may keep an ended track with its listeners.
   */
  readonly #live = new Map<MediaStreamTrack, AbortController>();
  #closed = false;

  constructor(options: DeviceTracksOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * Opens devices together: the host's choice, unless `wish` names another one. When a single device is gone, another
   * one of its kind is opened. Rejects as getUserMedia does.
   */
  async acquire(
    kinds: readonly TrackKind[],
    settings: VideoSettings & { readonly front: boolean },
    wish?: Wish,
  ): Promise<MediaStreamTrack[]> {
    const { devices, choice } = this.#options;
    const wished = (kind: TrackKind): Wish => wish ?? { deviceId: choice.wish(INPUT[kind]) };
    const { deviceId } = wished('audio');
    // An exact id, because Chromium ignores a preferred one.
    const microphone = deviceId ? { deviceId: { exact: deviceId } } : true;
    const camera = videoConstraints(settings, { front: settings.front, ...wished('video') });
    const constraints = { audio: kinds.includes('audio') && microphone, video: kinds.includes('video') && camera };
    const stream = await devices.getUserMedia(constraints).catch((error: unknown) => {
      // Only the id of a device is an exact constraint.
      const isGone = error instanceof Error && error.name === 'OverconstrainedError' && kinds.length === 1;
      if (!isGone) throw error;
      return devices.getUserMedia({
        audio: constraints.audio && true,
        video: constraints.video && videoConstraints(settings, settings),
      });
    });
    for (const track of stream.getTracks()) this.#opened(track.kind as TrackKind, track);
    return stream.getTracks();
  }

  /** Returns a track of silence, or of a black picture. */
  standIn(kind: TrackKind): MediaStreamTrack {
    const { devices } = this.#options;
    return this.#keep(kind === 'audio' ? devices.silence() : devices.blackPicture());
  }

  release(track: MediaStreamTrack): void {
    track.stop();
    this.#live.get(track)?.abort();
    this.#live.delete(track);
  }

  /** Stops every track, also those that arrive late. */
  close(): void {
    this.#closed = true;
    this.releaseAll();
  }

  releaseAll(): void {
    for (const track of [...this.#live.keys()]) this.release(track);
  }

  #opened(kind: TrackKind, track: MediaStreamTrack): void {
    this.#keep(track);
    const { choice, ended } = this.#options;
    const listening = this.#live.get(track);
    if (!listening) return;
    choice.opened(INPUT[kind], track.getSettings().deviceId);
    // The tracks of wrtc have no events.
    track.addEventListener?.('ended', () => ended(kind, track), { signal: listening.signal });
  }

  /** Keeps a track. One that arrives after the close is stopped at once. */
  #keep(track: MediaStreamTrack): MediaStreamTrack {
    if (this.#closed) track.stop();
    else this.#live.set(track, new AbortController());
    return track;
  }
}
