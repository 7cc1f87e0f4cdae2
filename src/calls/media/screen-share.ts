import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import type { DevicesPort } from '../platform/devices.ts';

export interface ScreenShareOptions {
  readonly devices: Pick<DevicesPort, 'canCaptureDisplay' | 'getDisplayMedia'>;
  readonly call: {
    readonly isVideoCall: boolean;
    /** Returns whether the call is connected or reconnecting. */
    isConnected(): boolean;
    isOnHold(): boolean;
  };
  readonly picture: {
    /** Sends the screen in place of the camera and shows it in the local view. Null returns to the camera. */
    send(screen: MediaStreamTrack | null): Promise<void>;
  };
  /** Runs when this side or the browser's own control has stopped the share. */
  readonly stopped: () => void;
  readonly log: Pick<Logger, 'error'>;
}

/** The errors for refusals of the browser (§8, screen-share error mapping). */
const REFUSALS: ReadonlyMap<string, number> = new Map([
  ['InvalidStateError', ErrorCode.ERR_NOT_SUPPORTED_APP_STATE_FOR_SCREEN_SHARE],
  ['NotAllowedError', ErrorCode.ERR_PERMISSION_DENIED_FOR_SCREEN_SHARE],
  ['NotFoundError', ErrorCode.ERR_SELECTED_CONTENT_NOT_EXIST],
  ['NotReadableError', ErrorCode.ERR_SELECTED_CONTENT_INACCESSIBLE],
]);

/** The shared screen of this side, in place of its camera. */
export class ScreenShare {
  readonly #options: ScreenShareOptions;
  #track: MediaStreamTrack | null = null;
  /** The controller that removes the listeners. A browser may keep an ended track with its listeners. */
  #listening: AbortController | null = null;
  /** True while the user chooses what to share. */
  #choosing = false;
  #closed = false;

  constructor(options: ScreenShareOptions) {
    this.#options = options;
  }

  /** The sent screen. Null while the camera is sent. */
  get track(): MediaStreamTrack | null {
    return this.#track;
  }

  get isSharing(): boolean {
    return this.#track !== null;
  }

  /**
   * Prompts the user to choose what to share. Sends it until {@link stop}, until the user stops it, or until the call
   * closes. A choice that comes too late, or on hold, is not shared.
   *
   * @throws CallError, in this order: `ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL` in a voice call.
   *   `ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED` when not connected. `ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS`
   *   while sharing. `ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD` on hold. `ERR_NOT_SUPPORTED_BROWSER_FOR_SCREEN_SHARE` when
   *   the browser cannot share. Then the error of the browser's refusal, else
   *   `ERR_SCREEN_SHARE_FAILED_DUE_TO_UNKNOWN_REASON`.
   */
  async start(): Promise<void> {
    this.#check();
    this.#choosing = true;
    let track: MediaStreamTrack;
    try {
      track = await this.#choose();
    } finally {
      this.#choosing = false;
    }
    try {
      this.#check();
    } catch (error) {
      track.stop();
      throw error;
    }
    await this.#share(track);
  }

  /**
   * Returns to the camera.
   * @throws CallError `ERR_NO_SCREEN_SHARE_EXISTS` when nothing is shared.
   */
  stop(): void {
    if (!this.#track) throw new CallError(ErrorCode.ERR_NO_SCREEN_SHARE_EXISTS);
    this.#over(this.#track);
  }

  /** Sends the screen, or black while the call is on hold. */
  setEnabled(enabled: boolean): void {
    if (this.#track) this.#track.enabled = enabled;
  }

  /** Ends the share when the call closes, without a notification. No share begins after it. */
  close(): void {
    this.#closed = true;
    this.#listening?.abort();
    this.#track?.stop();
    this.#track = null;
  }

  #check(): void {
    const code = this.#refusal();
    if (code !== null) throw new CallError(code);
  }

  #refusal(): number | null {
    const { call, devices } = this.#options;
    if (!call.isVideoCall) return ErrorCode.ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL;
    if (this.#closed || !call.isConnected()) return ErrorCode.ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED;
    if (this.#choosing || this.#track) return ErrorCode.ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS;
    if (call.isOnHold()) return ErrorCode.ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD;
    return devices.canCaptureDisplay ? null : ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_SCREEN_SHARE;
  }

  async #choose(): Promise<MediaStreamTrack> {
    try {
      const stream = await this.#options.devices.getDisplayMedia({ video: true, audio: false });
      const [track] = stream.getVideoTracks();
      if (!track) throw new Error('the screen gave no picture');
      return track;
    } catch (cause) {
      const name = cause instanceof Error ? cause.name : '';
      throw new CallError(REFUSALS.get(name) ?? ErrorCode.ERR_SCREEN_SHARE_FAILED_DUE_TO_UNKNOWN_REASON, { cause });
    }
  }

  async #share(track: MediaStreamTrack): Promise<void> {
    this.#track = track;
    this.#listening = new AbortController();
    track.addEventListener('ended', () => this.#over(track), { signal: this.#listening.signal });
    try {
      await this.#options.picture.send(track);
    } catch (cause) {
      if (this.#track === track) this.#restore(track);
      throw new CallError(ErrorCode.ERR_SCREEN_SHARE_FAILED_DUE_TO_UNKNOWN_REASON, { cause });
    }
  }

  #over(track: MediaStreamTrack): void {
    if (this.#track !== track) return;
    this.#restore(track);
    this.#options.stopped();
  }

  #restore(track: MediaStreamTrack): void {
    const { picture, log } = this.#options;
    this.#track = null;
    this.#listening?.abort();
    track.stop();
    picture.send(null).catch((error: unknown) => log.error('the camera did not replace the screen', { error }));
  }
}
