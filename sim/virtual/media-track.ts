/** Tracks and streams without sound or picture: their identities, states and events. */

/**
 * A media track. `stop` ends it without an event, as the W3C specifies. {@link end} ends it from the outside, with
 * its event.
 */
export class VirtualTrack extends EventTarget implements MediaStreamTrack {
  readonly id: string;
  readonly kind: 'audio' | 'video';
  readonly label: string;
  contentHint = '';
  enabled = true;
  muted = false;
  readyState: MediaStreamTrackState = 'live';
  onended: MediaStreamTrack['onended'] = null;
  onmute: MediaStreamTrack['onmute'] = null;
  onunmute: MediaStreamTrack['onunmute'] = null;
  #settings: MediaTrackSettings;
  readonly #stopped: () => void;

  constructor(
    kind: 'audio' | 'video',
    id: string,
    { label = '', settings = {}, stopped = () => undefined }: TrackOptions = {},
  ) {
    super();
    this.kind = kind;
    this.id = id;
    this.label = label;
    this.#settings = settings;
    this.#stopped = stopped;
  }

  stop(): void {
    if (this.readyState === 'ended') return;
    this.readyState = 'ended';
    this.#stopped();
  }

  /** Ends the track as its source does: the device is unplugged, or the user stops the share. */
  end(): void {
    if (this.readyState === 'ended') return;
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }

  /** Mutes or unmutes the source. */
  setMuted(muted: boolean): void {
    if (this.muted === muted) return;
    this.muted = muted;
    this.dispatchEvent(new Event(muted ? 'mute' : 'unmute'));
  }

  clone(): VirtualTrack {
    const copy = new VirtualTrack(this.kind, `${this.id}-clone`, { label: this.label, settings: this.#settings });
    copy.enabled = this.enabled;
    copy.readyState = this.readyState;
    return copy;
  }

  /** Applies a wished size and frame rate: a browser scales the pictures of a camera down to them. */
  applyConstraints(constraints: MediaTrackConstraints = {}): Promise<void> {
    this.#settings = { ...this.#settings, ...wished(constraints) };
    return Promise.resolve();
  }

  getCapabilities(): MediaTrackCapabilities {
    return {};
  }

  getConstraints(): MediaTrackConstraints {
    return {};
  }

  getSettings(): MediaTrackSettings {
    return this.#settings;
  }
}

/** Returns the settings that constraints wish for. */
function wished(constraints: MediaTrackConstraints): MediaTrackSettings {
  const settings: MediaTrackSettings = {};
  for (const name of ['width', 'height', 'frameRate'] as const) {
    const { [name]: wish } = constraints;
    if (typeof wish === 'object' && wish.ideal !== undefined) settings[name] = wish.ideal;
  }
  return settings;
}

interface TrackOptions {
  readonly label?: string;
  readonly settings?: MediaTrackSettings;
  /** Called once when the track has ended, for any reason. */
  readonly stopped?: () => void;
}

export class VirtualStream extends EventTarget implements MediaStream {
  readonly id: string;
  onaddtrack: MediaStream['onaddtrack'] = null;
  onremovetrack: MediaStream['onremovetrack'] = null;
  readonly #tracks: Set<MediaStreamTrack>;

  constructor(id: string, tracks: readonly MediaStreamTrack[] = []) {
    super();
    this.id = id;
    this.#tracks = new Set(tracks);
  }

  get active(): boolean {
    return this.getTracks().some(({ readyState }) => readyState === 'live');
  }

  getTracks(): MediaStreamTrack[] {
    return [...this.#tracks];
  }

  getAudioTracks(): MediaStreamTrack[] {
    return this.getTracks().filter(({ kind }) => kind === 'audio');
  }

  getVideoTracks(): MediaStreamTrack[] {
    return this.getTracks().filter(({ kind }) => kind === 'video');
  }

  getTrackById(id: string): MediaStreamTrack | null {
    return this.getTracks().find((track) => track.id === id) ?? null;
  }

  addTrack(track: MediaStreamTrack): void {
    this.#tracks.add(track);
  }

  removeTrack(track: MediaStreamTrack): void {
    this.#tracks.delete(track);
  }

  clone(): VirtualStream {
    return new VirtualStream(
      `${this.id}-clone`,
      this.getTracks().map((track) => track.clone()),
    );
  }
}
