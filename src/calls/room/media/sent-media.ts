import { LIMITS, ROOM_LIMITS } from '../../../protocol/limits.ts';
import type { Logger } from '../../logging/log.ts';
import type { TrackKind } from '../../media/device-tracks.ts';
import { LocalMedia, type MissingDevice } from '../../media/local-media.ts';
import type { MediaDevices } from '../../media/media-devices.ts';
import { MediaView } from '../../media/media-view.ts';
import type { MediaElement } from '../../platform/media-element.ts';
import { ScreenShare } from '../../media/screen-share.ts';
import type { PageState } from '../../platform/page.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ParticipationMediaEvents, ParticipationMediaStart } from '../participation-media.ts';
import type { MediaEndpoint } from './media-endpoint.ts';

export interface SentMediaOptions {
  readonly platform: Pick<Platform, 'devices' | 'rtc' | 'page'>;
  /** The choice of devices. */
  readonly choice: MediaDevices;
  readonly log: Pick<Logger, 'debug' | 'warning' | 'error'>;
  readonly start: Pick<ParticipationMediaStart, 'audioEnabled' | 'videoEnabled'>;
  readonly isVideoRoom: boolean;
  /** The endpoint that sends. */
  readonly master: () => Pick<MediaEndpoint, 'replaceTrack' | 'scalePicture' | 'hasConnected'>;
  readonly events: Pick<
    ParticipationMediaEvents,
    'missingChanged' | 'screenShareStopped' | 'videoSent' | 'pageReturned' | 'pageLeft'
  >;
}

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of the sent picture for a number of connected remote participants (RM-33). */
function pictureSize(remotes: number): PictureSize {
  const sizes = ROOM_LIMITS.pictureSizes;
  return sizes[Math.min(Math.max(remotes, 1), sizes.length) - 1] ?? sizes[0];
}

const isAway = (state: PageState) => state === 'hidden' || state === 'frozen';

/** The media that this client sends: microphone, camera or screen, and the view of it. */
export class SentMedia {
  readonly #options: SentMediaOptions;
  readonly #devices: LocalMedia;
  readonly #screen: ScreenShare;
  readonly #view: MediaView;
  readonly #leavePage: () => void;
  /** The devices that open, or are open. Null after a failure. */
  #opening: Promise<unknown> | null = null;
  #size = pictureSize(0);
  #videoEnabled: boolean;
  #isAway: boolean;
  #isClosed = false;

  /** Opens the devices. */
  constructor(options: SentMediaOptions) {
    const { platform, choice, log, start, isVideoRoom, events, master } = options;
    this.#options = options;
    this.#videoEnabled = start.videoEnabled;
    this.#isAway = isAway(platform.page.state);
    this.#view = new MediaView({ muted: true, log });
    this.#devices = new LocalMedia({
      ...{ devices: platform.devices, rtc: platform.rtc, choice, log },
      onTrack: (kind, track) => this.#trackChanged(kind, track),
      onMissing: () => events.missingChanged(),
    });
    this.#screen = new ScreenShare({
      devices: platform.devices,
      // A room has no hold.
      call: { isVideoCall: isVideoRoom, isConnected: () => master().hasConnected, isOnHold: () => false },
      picture: { send: (screen) => this.#sendScreen(screen) },
      stopped: () => events.screenShareStopped(),
      log,
    });
    this.#leavePage = platform.page.onChange((state) => this.#pageChanged(state));
    this.setAudioEnabled(start.audioEnabled);
    this.setVideoEnabled(start.videoEnabled);
    // The endpoint that sends opens them again.
    this.#opened().catch(() => undefined);
  }

  get missing(): readonly MissingDevice[] {
    return this.#devices.missing;
  }

  get isSharingScreen(): boolean {
    return this.#screen.isSharing;
  }

  /** Returns the tracks to send now, once the devices are open. */
  async tracks(): Promise<readonly MediaStreamTrack[]> {
    await this.#opened();
    const picture = this.#screen.track ?? this.#devices.videoTrack;
    return [this.#devices.audioTrack, picture].filter((track) => track !== null);
  }

  setView(element: MediaElement | null): Promise<void> {
    return this.#view.set(element);
  }

  setAudioEnabled(isOn: boolean): void {
    this.#devices.setAudioEnabled(isOn);
  }

  setVideoEnabled(isOn: boolean): void {
    this.#videoEnabled = isOn;
    this.#devices.setVideoEnabled(isOn && !this.#isAway);
  }

  startScreenShare(): Promise<void> {
    return this.#screen.start();
  }

  stopScreenShare(): void {
    this.#screen.stop();
  }

  /** Adapts the size of the picture to the number of connected remote participants. */
  setRemotes(count: number): void {
    const size = pictureSize(count);
    if (size === this.#size) return;
    this.#size = size;
    this.fitPicture();
  }

  /** Sends the camera in the present size. Each connection, camera and screen begins with its whole size. */
  fitPicture(): void {
    this.#fit().catch((error: unknown) => this.#options.log.debug('the picture keeps its size', { error }));
  }

  /** Stops every track, also those that arrive late. */
  close(): void {
    this.#isClosed = true;
    this.#leavePage();
    this.#screen.close();
    this.#devices.close();
    this.#view.attach(null);
  }

  /** Resolves once the devices are open. Opens them again after a failure. */
  #opened(): Promise<unknown> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      this.#options.log.error('no media could be opened', { error });
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { isVideoRoom } = this.#options;
    const { stream } = await this.#devices.open({ video: isVideoRoom, ...this.#size });
    if (this.#isClosed) return;
    this.#view.attach(stream);
    this.fitPicture();
  }

  async #trackChanged(kind: TrackKind, track: MediaStreamTrack): Promise<void> {
    const { master, log } = this.#options;
    // While the screen is shared, another camera waits.
    if (kind === 'video' && this.isSharingScreen) return;
    await master()
      .replaceTrack(kind, track)
      .catch((error: unknown) => log.error(`the ${kind} track was not replaced`, { error }));
    if (kind === 'video') this.fitPicture();
  }

  /** Sends the screen in place of the camera, or the camera again. A screen can be shown while the camera is off. */
  async #sendScreen(screen: MediaStreamTrack | null): Promise<void> {
    const { platform, events, master } = this.#options;
    this.#view.attach(screen ? platform.rtc.createMediaStream([screen]) : this.#devices.stream);
    if (!this.#videoEnabled) events.videoSent(screen !== null);
    const picture = screen ?? this.#devices.videoTrack;
    if (picture) await master().replaceTrack('video', picture);
    this.fitPicture();
  }

  /**
   * Asks the camera for the size, and reduces what it gives beyond it. Cameras have few sizes, and a size costs no
   * negotiation. A screen keeps its size, so that texts stay readable.
   */
  async #fit(): Promise<void> {
    const { master, isVideoRoom } = this.#options;
    const [camera, size] = [this.#devices.videoTrack, this.#size];
    if (!isVideoRoom || this.#isClosed || !camera) return;
    if (this.isSharingScreen) return master().scalePicture(1);
    const { width, height } = size;
    const isStandIn = this.missing.some(({ kind }) => kind === 'video');
    // The tracks of wrtc have no constraints.
    if (!isStandIn) {
      await camera.applyConstraints?.({
        width: { ideal: width },
        height: { ideal: height },
        frameRate: { ideal: LIMITS.videoFrameRate },
      });
    }
    // The number of participants may have changed meanwhile, or the picture.
    if (size !== this.#size || this.isSharingScreen || camera !== this.#devices.videoTrack) return;
    const given = camera.getSettings();
    // A phone in portrait has the sides swapped.
    await master().scalePicture(Math.max(1, Math.min(given.width ?? 0, given.height ?? 0) / height));
  }

  /** Sends black in place of the camera while the page is hidden. The sound and a shared screen go on (ADR 0027). */
  #pageChanged(state: PageState): void {
    if (state === 'terminated') {
      this.#options.events.pageLeft();
      return;
    }
    const wasAway = this.#isAway;
    this.#isAway = isAway(state);
    if (wasAway === this.#isAway) return;
    this.setVideoEnabled(this.#videoEnabled);
    if (wasAway) this.#options.events.pageReturned();
  }
}
