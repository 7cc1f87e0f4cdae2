import type { Clock } from '../../src/common/clock.ts';
import type { DevicesPort } from '../../src/calls/platform/devices.ts';
import { TIMES } from '../../src/protocol/limits.ts';
import { VirtualStream, VirtualTrack } from './media-track.ts';

/** The time that opening a device takes. Milliseconds. */
const OPEN_MS = 5;

type FailureName =
  | 'NotAllowedError'
  | 'NotFoundError'
  | 'NotReadableError'
  | 'OverconstrainedError'
  | 'AbortError'
  | 'InvalidStateError';
type MediaKind = 'audio' | 'video';

export interface VirtualDevice {
  readonly deviceId: string;
  readonly groupId: string;
  readonly kind: MediaDeviceKind;
  readonly label: string;
}

const INPUT = { audio: 'audioinput', video: 'videoinput' } as const;

const SCREEN = 'Screen 1';

/** A microphone, a camera and a speaker. */
const USUAL: readonly VirtualDevice[] = [
  { deviceId: 'mic-1', groupId: 'headset', kind: 'audioinput', label: 'Microphone 1' },
  { deviceId: 'cam-1', groupId: 'screen', kind: 'videoinput', label: 'Camera 1' },
  { deviceId: 'speaker-1', groupId: 'headset', kind: 'audiooutput', label: 'Speaker 1' },
];

/** The microphones, cameras and the screen of one device of the world, with the controls of a test. */
export class VirtualDevices implements DevicesPort {
  /** Whether the screen can be captured. */
  canCaptureDisplay = true;
  /** Set by a test: the browser hides names and ids of a kind until one of its devices was opened. */
  secretive = false;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #listeners = new Set<() => void>();
  readonly #failures = new Map<string, FailureName>();
  readonly #allowed = new Set<MediaKind>();
  readonly #live = new Map<VirtualTrack, string | null>();
  #devices: readonly VirtualDevice[] = USUAL;
  #redraws = 0;

  constructor(clock: Clock, newId: () => string) {
    this.#clock = clock;
    this.#newId = newId;
  }

  /** The tracks handed out that have not ended. A device whose call is over must have none. */
  get liveTracks(): readonly VirtualTrack[] {
    return [...this.#live.keys()];
  }

  /** How often black pictures were drawn. */
  get redraws(): number {
    return this.#redraws;
  }

  /** The number of listeners to device changes that were not removed. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** The screens that are being captured. */
  get screens(): readonly VirtualTrack[] {
    return this.liveTracks.filter(({ label }) => label === SCREEN);
  }

  /** Makes opening a kind of device, or the one with this id, or choosing a screen, fail until {@link mend}. */
  fail(source: MediaKind | 'display' | { readonly deviceId: string }, name: FailureName): void {
    this.#failures.set(typeof source === 'string' ? source : source.deviceId, name);
  }

  mend(): void {
    this.#failures.clear();
  }

  plug(device: VirtualDevice): void {
    this.#devices = [...this.#devices, device];
    this.notifyChange();
  }

  /** Removes a device: its tracks end. */
  unplug(deviceId: string): void {
    this.#devices = this.#devices.filter((device) => device.deviceId !== deviceId);
    for (const [track, source] of this.#live) if (source === deviceId) track.end();
    this.notifyChange();
  }

  /**
   * Removes the devices of a kind, or ends the screen share. Returns a function that adds them again; a share does
   * not return.
   */
  take(source: MediaKind | 'display'): () => void {
    if (source === 'display') {
      for (const screen of this.screens) screen.end();
      return () => undefined;
    }
    const taken = this.#devices.filter(({ kind }) => kind === INPUT[source]);
    for (const { deviceId } of taken) this.unplug(deviceId);
    return () => taken.forEach((device) => this.plug(device));
  }

  /** Emits `devicechange`, whether or not the devices changed. */
  notifyChange(): void {
    for (const changed of this.#listeners) changed();
  }

  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream> {
    const wanted = (['audio', 'video'] as const).filter((kind) => (constraints[kind] ?? false) !== false);
    return new Promise((resolve, reject) => {
      if (wanted.length === 0) return reject(new TypeError('At least one of audio and video must be requested'));
      this.#clock.after(OPEN_MS, () => {
        try {
          // All or nothing: no track is made before every device is found.
          const found = wanted.map((kind) => [kind, this.#find(kind, constraints[kind])] as const);
          resolve(
            new VirtualStream(
              this.#newId(),
              found.map(([kind, device]) => this.#open(kind, device, constraints[kind])),
            ),
          );
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  getDisplayMedia(): Promise<MediaStream> {
    return new Promise((resolve, reject) => {
      this.#clock.after(OPEN_MS, () => {
        const failure = this.#failures.get('display');
        if (failure) reject(new DOMException(`display: ${failure}`, failure));
        else resolve(new VirtualStream(this.#newId(), [this.#track('video', null, { label: SCREEN })]));
      });
    });
  }

  enumerate(): Promise<MediaDeviceInfo[]> {
    const secret = (kind: MediaDeviceKind) =>
      this.secretive && !this.#allowed.has(kind === 'videoinput' ? 'video' : 'audio');
    const listed = this.#devices.flatMap((device, n) => {
      if (!secret(device.kind)) return [device];
      // The browser lists one device of each kind, without a name.
      const isFirst = this.#devices.findIndex(({ kind }) => kind === device.kind) === n;
      return isFirst ? [{ deviceId: '', groupId: '', kind: device.kind, label: '' }] : [];
    });
    return Promise.resolve(listed.map((device) => ({ ...device, toJSON: () => device })));
  }

  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  silence(): MediaStreamTrack {
    return this.#track('audio', null, { label: 'silence' });
  }

  blackPicture(): MediaStreamTrack {
    const redraw = this.#clock.every(TIMES.blackPictureMs, () => {
      this.#redraws += 1;
    });
    return this.#track('video', null, { label: 'black picture', ended: () => redraw.cancel() });
  }

  #find(kind: MediaKind, constraint: boolean | MediaTrackConstraints | undefined): VirtualDevice {
    const failure = this.#failures.get(kind);
    if (failure) throw new DOMException(`${kind}: ${failure}`, failure);
    const present = this.#devices.filter((device) => device.kind === INPUT[kind]);
    const [first] = present;
    if (!first) throw new DOMException('Requested device not found', 'NotFoundError');
    const { exact, ideal } = deviceWish(constraint);
    const wished = present.find(({ deviceId }) => deviceId === (exact ?? ideal));
    if (exact !== undefined && !wished) throw new DOMException('deviceId', 'OverconstrainedError');
    const found = wished ?? first;
    const fault = this.#failures.get(found.deviceId);
    if (fault) throw new DOMException(`${found.label}: ${fault}`, fault);
    return found;
  }

  #open(kind: MediaKind, device: VirtualDevice, constraint: boolean | MediaTrackConstraints | undefined): VirtualTrack {
    this.#allowed.add(kind);
    const track = this.#track(kind, device.deviceId, { label: device.label });
    if (kind === 'video' && typeof constraint === 'object') void track.applyConstraints(constraint);
    return track;
  }

  #track(
    kind: MediaKind,
    source: string | null,
    { label, ended }: { label: string; ended?: () => void },
  ): VirtualTrack {
    const track = new VirtualTrack(kind, this.#newId(), {
      label,
      settings: source === null ? {} : { deviceId: source },
      stopped: () => {
        this.#live.delete(track);
        ended?.();
      },
    });
    this.#live.set(track, source);
    return track;
  }
}

function deviceWish(constraint: boolean | MediaTrackConstraints | undefined): { exact?: string; ideal?: string } {
  const wish = typeof constraint === 'object' ? constraint.deviceId : undefined;
  if (typeof wish === 'string') return { ideal: wish };
  if (typeof wish !== 'object' || Array.isArray(wish)) return {};
  return {
    ...(typeof wish.exact === 'string' ? { exact: wish.exact } : {}),
    ...(typeof wish.ideal === 'string' ? { ideal: wish.ideal } : {}),
  };
}
