import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import type { DevicesPort } from '../platform/devices.ts';
import type { RtcPort } from '../platform/rtc.ts';
import { DeviceTracks, INPUT, type TrackKind, type Wish } from './device-tracks.ts';
import type { DeviceUser, MediaDevices } from './media-devices.ts';
import type { VideoSettings } from './video-constraints.ts';

/** The wanted devices of this side (§3, media settings for a call). At least one of audio and video (§5). */
export interface LocalMediaSettings extends VideoSettings {
  /** True opens a microphone. Default: true. */
  readonly audio?: boolean | undefined;
  /** True opens a camera: the call is a video call. */
  readonly video: boolean;
  /** True sends sound from the start. Default: true. */
  readonly audioEnabled?: boolean | undefined;
  /** True sends the picture from the start. Default: true. */
  readonly videoEnabled?: boolean | undefined;
}

/** A device that could not be opened. Silence or a black picture is sent instead. */
export interface MissingDevice {
  /** The kind of the device: a microphone or a camera. */
  readonly kind: 'audio' | 'video';
  /** The name of the browser's error, for example NotAllowedError, NotFoundError or NotReadableError. */
  readonly reason: string;
}

export interface OpenedMedia {
  /** The sound. Null when no microphone is wanted. */
  readonly audioTrack: MediaStreamTrack | null;
  /** The picture. Null in a voice call. */
  readonly videoTrack: MediaStreamTrack | null;
  readonly stream: MediaStream;
}

export interface LocalMediaOptions {
  readonly devices: DevicesPort;
  readonly rtc: Pick<RtcPort, 'createMediaStream'>;
  /** The choice of devices, and its changes. */
  readonly choice: Pick<MediaDevices, 'wish' | 'current' | 'refresh' | 'opened' | 'switched' | 'join'>;
  readonly log: Pick<Logger, 'warning'>;
  /** Runs when sound or picture come from another track. A change is done when the returned promise resolves. */
  readonly onTrack?: (kind: TrackKind, track: MediaStreamTrack) => Promise<void> | void;
  /** Runs when {@link LocalMedia.missing} has changed. */
  readonly onMissing?: () => void;
}

interface DeviceSource {
  readonly track: MediaStreamTrack;
  readonly from: 'device';
}

/** The reason for silence or a black picture: the device was refused from the start, or was lost later. */
interface StandIn {
  readonly track: MediaStreamTrack;
  readonly from: 'refused' | 'lost';
  /** The name of the error. */
  readonly reason: string;
}

type Source = DeviceSource | StandIn;

const KINDS = ['audio', 'video'] as const;
const TRACK_OF: Readonly<Partial<Record<MediaDeviceKind, TrackKind>>> = { audioinput: 'audio', videoinput: 'video' };

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'UnknownError');

/**
 * The microphone and the camera of one call, or of a preview by the host. No device is opened before {@link open}
 * (D27). A replaced track keeps its place in {@link stream}.
 */
export class LocalMedia implements DeviceUser {
  readonly #options: LocalMediaOptions;
  readonly #tracks: DeviceTracks;
  readonly #sources = new Map<TrackKind, Source>();
  readonly #enabled = new Map<TrackKind, boolean>();
  #opening: Promise<OpenedMedia> | null = null;
  /** Changes of devices, one after the other. */
  #changes: Promise<unknown> = Promise.resolve();
  #settings: LocalMediaSettings = { video: false };
  #stream: MediaStream | null = null;
  #frontCamera = true;
  #switching = false;
  #leave: () => void = () => undefined;

  constructor(options: LocalMediaOptions) {
    this.#options = options;
    this.#tracks = new DeviceTracks({
      devices: options.devices,
      choice: options.choice,
      ended: (kind, track) => {
        this.#ended(kind, track).catch((error: unknown) => options.log.warning('no replacement track', { error }));
      },
    });
  }

  /** The stream of both tracks. Null before the devices are open. */
  get stream(): MediaStream | null {
    return this.#stream;
  }

  get audioTrack(): MediaStreamTrack | null {
    return this.#sources.get('audio')?.track ?? null;
  }

  get videoTrack(): MediaStreamTrack | null {
    return this.#sources.get('video')?.track ?? null;
  }

  /** The devices that could not be opened. The microphone is first. */
  get missing(): readonly MissingDevice[] {
    return KINDS.flatMap((kind) => {
      const source = this.#sources.get(kind);
      return source && source.from !== 'device' ? [{ kind, reason: source.reason }] : [];
    });
  }

  /** True when the camera in use, or to be used, faces the user. */
  get frontCamera(): boolean {
    return this.#frontCamera;
  }

  /**
   * Opens the devices together and, when that fails, one by one. Silence or a black picture replaces a missing or
   * denied one (§4, room session). A second call returns the first result, or tries again after a failure. A call that
   * was closed meanwhile gets ended tracks.
   */
  open(settings: LocalMediaSettings): Promise<OpenedMedia> {
    if (!this.#opening) {
      this.#opening = this.#open(settings);
      this.#changes = this.#opening.catch(() => {
        this.#opening = null;
        this.#tracks.releaseAll();
      });
      if (!this.#tracks.isClosed) this.#leave = this.#options.choice.join(this);
    }
    return this.#opening;
  }

  /** Sends sound or silence. Before the microphone is open, sets how it starts. */
  setAudioEnabled(enabled: boolean): void {
    this.#setEnabled('audio', enabled);
  }

  /** Sends the picture or black. Before the camera is open, sets how it starts. */
  setVideoEnabled(enabled: boolean): void {
    this.#setEnabled('video', enabled);
  }

  /**
   * Opens the current device of a kind, unless it is open. Rejects when it cannot be opened. The former device is open
   * again then, or silence or a black picture replaces it.
   */
  use(device: MediaDeviceKind): Promise<void> {
    const kind = TRACK_OF[device];
    return kind ? this.#next(kind, (source) => this.#useCurrent(kind, source)) : Promise.resolve();
  }

  /** Opens ended devices again. Rejects when one cannot be opened: silence or a black picture replaces it. */
  async renew(): Promise<void> {
    const renewed = KINDS.map((kind) =>
      this.#next(kind, async (source) => {
        if (source.from === 'lost' || source.track.readyState === 'ended') await this.#useCurrent(kind, source);
      }),
    );
    await Promise.all(renewed);
  }

  /**
   * Switches between the front and the rear camera, and passes the new track to `onTrack`.
   *
   * @throws CallError `CAMERA_ALREADY_SWITCHING` during a switch. `ERR_CAMERA_SWITCH` when the other camera cannot be
   *   opened, or there is no picture to switch. The former camera is opened again then, or a black picture replaces it
   *   (§8).
   */
  async switchCamera(): Promise<void> {
    if (this.#switching) throw new CallError(ErrorCode.CAMERA_ALREADY_SWITCHING);
    if (!this.videoTrack || this.#tracks.isClosed) throw new CallError(ErrorCode.ERR_CAMERA_SWITCH);
    this.#switching = true;
    try {
      await this.#next('video', async (source) => {
        await this.#swap('video', source, { front: !this.#frontCamera });
        if (this.#tracks.isClosed) return;
        this.#frontCamera = !this.#frontCamera;
        this.#options.choice.switched(this.videoTrack?.getSettings().deviceId);
      });
    } catch (cause) {
      throw new CallError(ErrorCode.ERR_CAMERA_SWITCH, { cause });
    } finally {
      this.#switching = false;
    }
    if (this.#tracks.isClosed) throw new CallError(ErrorCode.ERR_CAMERA_SWITCH);
  }

  /** Stops every track, also those that arrive late. */
  close(): void {
    this.#leave();
    this.#tracks.close();
  }

  async #open(settings: LocalMediaSettings): Promise<OpenedMedia> {
    this.#settings = settings;
    this.#frontCamera = settings.frontCamera ?? true;
    const wanted = KINDS.filter((kind) => settings[kind] ?? kind === 'audio');
    const found = new Map<TrackKind, MediaStreamTrack>();
    const reasons = new Map<TrackKind, string>();
    const open = async (kinds: readonly TrackKind[]) => {
      for (const track of await this.#acquire(kinds)) found.set(track.kind as TrackKind, track);
    };
    try {
      await open(wanted);
    } catch (error) {
      for (const kind of wanted) {
        if (this.#tracks.isClosed) continue;
        try {
          // Opening the same single device again would only fail again.
          if (wanted.length === 1) throw error;
          await open([kind]);
        } catch (cause) {
          reasons.set(kind, nameOf(cause));
        }
      }
    }
    for (const kind of wanted) {
      const track = found.get(kind);
      const refused = () => this.#standIn(kind, 'refused', reasons.get(kind) ?? 'NotFoundError');
      this.#set(kind, track ? { track, from: 'device' } : refused());
    }
    if (this.missing.length > 0) this.#tellMissing();
    const { audioTrack, videoTrack } = this;
    const tracks = [audioTrack, videoTrack].filter((track) => track !== null);
    this.#stream = this.#options.rtc.createMediaStream(tracks);
    return { audioTrack, videoTrack, stream: this.#stream };
  }

  /** Runs a change after the former changes, if there is still something to change. */
  #next(kind: TrackKind, change: (source: Source) => Promise<void>): Promise<void> {
    const done = this.#changes.then(async () => {
      const source = this.#sources.get(kind);
      if (source && !this.#tracks.isClosed) await change(source);
    });
    this.#changes = done.catch(() => undefined);
    return done;
  }

  async #useCurrent(kind: TrackKind, source: Source): Promise<void> {
    const device = this.#options.choice.current(INPUT[kind]);
    if (!device) return;
    const { track } = source;
    const isOpen = track.readyState === 'live' && track.getSettings().deviceId === device.deviceId;
    if (!isOpen) await this.#swap(kind, source, device);
  }

  async #swap(kind: TrackKind, former: Source, wish: Wish): Promise<void> {
    const { deviceId } = former.track.getSettings();
    // Many phones open one device at a time, so the former one is released first.
    this.#tracks.release(former.track);
    try {
      await this.#replace(kind, { track: await this.#acquireOne(kind, wish), from: 'device' });
    } catch (error) {
      if (!this.#tracks.isClosed) await this.#replace(kind, await this.#restored(kind, former, error, deviceId));
      throw error;
    }
  }

  async #restored(kind: TrackKind, { from }: Source, failure: unknown, deviceId: string | undefined): Promise<Source> {
    // A second request for a refused device would prompt the user again.
    if (from !== 'device') return this.#standIn(kind, from, nameOf(failure));
    try {
      return { track: await this.#acquireOne(kind, { deviceId }), from };
    } catch (error) {
      return this.#standIn(kind, 'lost', nameOf(error));
    }
  }

  async #replace(kind: TrackKind, source: Source): Promise<void> {
    const former = this.#sources.get(kind);
    this.#set(kind, source);
    if (former) this.#stream?.removeTrack(former.track);
    this.#stream?.addTrack(source.track);
    if (source.from !== 'device' || former?.from !== 'device') this.#tellMissing();
    if (!this.#tracks.isClosed) await this.#options.onTrack?.(kind, source.track);
  }

  #set(kind: TrackKind, source: Source): void {
    source.track.enabled = this.#enabled.get(kind) ?? this.#settings[`${kind}Enabled`] ?? true;
    this.#sources.set(kind, source);
  }

  #setEnabled(kind: TrackKind, enabled: boolean): void {
    this.#enabled.set(kind, enabled);
    const source = this.#sources.get(kind);
    if (source) source.track.enabled = enabled;
  }

  #acquire(kinds: readonly TrackKind[], wish?: Wish): Promise<MediaStreamTrack[]> {
    return this.#tracks.acquire(kinds, { ...this.#settings, front: this.#frontCamera }, wish);
  }

  async #acquireOne(kind: TrackKind, wish: Wish): Promise<MediaStreamTrack> {
    const [track] = await this.#acquire([kind], wish);
    if (!track) throw new Error(`the device gave no ${kind}`);
    return track;
  }

  /**
   * Replaces a device that is gone or that the user withdrew: with another device, else with silence or a black
   * picture.
   */
  async #ended(kind: TrackKind, track: MediaStreamTrack): Promise<void> {
    await this.#options.choice.refresh();
    await this.#next(kind, async (source) => {
      if (source.track !== track) return;
      this.#tracks.release(track);
      // When the device is still listed, the user or another program took it.
      const reason = this.#options.choice.current(INPUT[kind]) ? 'NotReadableError' : 'NotFoundError';
      await this.#replace(kind, this.#standIn(kind, 'lost', reason));
    });
  }

  #standIn(kind: TrackKind, from: StandIn['from'], reason: string): StandIn {
    const standIn = kind === 'audio' ? 'silence' : 'a black picture';
    this.#options.log.warning(`no ${kind} device (${reason}): ${standIn} is sent instead`);
    return { track: this.#tracks.standIn(kind), from, reason };
  }

  #tellMissing(): void {
    if (!this.#tracks.isClosed) this.#options.onMissing?.();
  }
}
