import type { DevicesPort } from '../platform/devices.ts';
import type { MediaDevices } from './media-devices.ts';
import { videoConstraints, type VideoSettings } from './video-constraints.ts';

export type TrackKind = 'audio' | 'video';

/** The kind of device a track comes from. */
export const INPUT = { audio: 'audioinput', video: 'videoinput' } as const satisfies Record<TrackKind, MediaDeviceKind>;

/** Which device to open; without an id the browser decides, a camera by the way it faces. */
export interface Wish {
  readonly deviceId?: string | undefined;
  readonly front?: boolean;
}

export interface DeviceTracksOptions {
  readonly devices: DevicesPort;
  readonly choice: Pick<MediaDevices, 'wish' | 'opened'>;
  /** A device went away, or the user took it back. */
  readonly ended: (kind: TrackKind, track: MediaStreamTrack) => void;
}

/** Opens devices and holds their tracks, stand-ins included, until each is released or all are closed. */
export class DeviceTracks {
  readonly #options: DeviceTracksOptions;
  /** Each track with the removal of its listeners. A browser may keep an ended track, and its listeners with it. */
  readonly #live = new Map<MediaStreamTrack, AbortController>();
  #closed = false;

  constructor(options: DeviceTracksOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * Opens devices together: what the host chose, unless another one is wished. A single one that has gone is any other of
   * its kind. Rejects as getUserMedia does.
   */
  async acquire(
    kinds: readonly TrackKind[],
    settings: VideoSettings & { readonly front: boolean },
    wish?: Wish,
  ): Promise<MediaStreamTrack[]> {
    const { devices, choice } = this.#options;
    const wished = (kind: TrackKind): Wish => wish ?? { deviceId: choice.wish(INPUT[kind]) };
    const { deviceId } = wished('audio');
    // Demanded: what is only wished for, Chromium takes no notice of.
    const microphone = deviceId ? { deviceId: { exact: deviceId } } : true;
    const camera = videoConstraints(settings, { front: settings.front, ...wished('video') });
    const constraints = { audio: kinds.includes('audio') && microphone, video: kinds.includes('video') && camera };
    const stream = await devices.getUserMedia(constraints).catch((error: unknown) => {
      // Nothing but the id of a device is ever demanded.
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

  /** Silence, or a black picture. */
  standIn(kind: TrackKind): MediaStreamTrack {
    const { devices } = this.#options;
    return this.#keep(kind === 'audio' ? devices.silence() : devices.blackPicture());
  }

  release(track: MediaStreamTrack): void {
    track.stop();
    this.#live.get(track)?.abort();
    this.#live.delete(track);
  }

  /** Stops every track, those that arrive late included. */
  close(): void {
    this.#closed = true;
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

  /** One that comes after the close is stopped at once. */
  #keep(track: MediaStreamTrack): MediaStreamTrack {
    if (this.#closed) track.stop();
    else this.#live.set(track, new AbortController());
    return track;
  }
}
