import type { Logger } from '../logging/log.ts';
import type { TrackKind } from '../media/device-tracks.ts';
import { LocalMedia, type MissingDevice } from '../media/local-media.ts';
import type { MediaDevices } from '../media/media-devices.ts';
import { MediaView } from '../media/media-view.ts';
import type { Platform } from '../platform/platform.ts';
import { mediaSettings, type DirectCallOption, type MediaSettings } from './call-options.ts';

export interface LegMediaOptions {
  readonly platform: Pick<Platform, 'clock' | 'devices' | 'rtc'>;
  /** The choice of devices. */
  readonly choice: MediaDevices;
  readonly log: Pick<Logger, 'warning' | 'error'>;
  readonly isVideoCall: boolean;
  /** What the other side reported that it sends. */
  readonly remoteMedia: { readonly audio: boolean; readonly video: boolean } | undefined;
  /** The parts of the call that media depends on. */
  readonly call: { isOver(): boolean; isOnHold(): boolean; isSharing(): boolean };
  /** Informs the remote client of a change of the sent media, when it can be reached. */
  readonly tell: (kind: TrackKind, enabled: boolean) => void;
  /** Runs when the list of this side's missing devices has changed. */
  readonly missing: () => void;
  /** Runs when another track is sent or received. */
  readonly changed: () => void;
  /** Replaces the sent sound or picture. */
  readonly send: (kind: TrackKind, track: MediaStreamTrack | null) => Promise<void>;
}

/** The media of both sides in one leg: what is sent, what is received, what is on, and the views that show it. */
export class LegMedia {
  readonly #options: LegMediaOptions;
  readonly #devices: LocalMedia;
  /** The view of the sent media. */
  readonly localView: MediaView<HTMLMediaElement>;
  /** The view of the received media. */
  readonly remoteView: MediaView<HTMLMediaElement>;
  #opened: Promise<unknown> | null = null;
  #leave: () => void = () => undefined;
  #chosen: MediaSettings = mediaSettings({});
  #local = this.#chosen;
  #remote: { audio: boolean; video: boolean };
  #remoteStream: MediaStream | null = null;

  constructor(options: LegMediaOptions) {
    const { platform, choice, log, isVideoCall, remoteMedia } = options;
    this.#options = options;
    this.#remote = { audio: remoteMedia?.audio ?? true, video: isVideoCall && (remoteMedia?.video ?? true) };
    this.#devices = new LocalMedia({
      devices: platform.devices,
      rtc: platform.rtc,
      choice,
      log,
      onTrack: (kind, track) => this.#trackChanged(kind, track),
      onMissing: () => options.missing(),
    });
    this.localView = new MediaView({ muted: true, log });
    this.remoteView = new MediaView({ muted: false, log });
  }

  get isLocalAudioEnabled(): boolean {
    return this.#local.audioEnabled;
  }

  get isLocalVideoEnabled(): boolean {
    return this.#options.isVideoCall && this.#local.videoEnabled;
  }

  /** True while the host has changed nothing since {@link choose}. */
  get isAsChosen(): boolean {
    return this.#local === this.#chosen;
  }

  get missing(): readonly MissingDevice[] {
    return this.#devices.missing;
  }

  get isRemoteAudioEnabled(): boolean {
    return this.#remote.audio;
  }

  get isRemoteVideoEnabled(): boolean {
    return this.#remote.video;
  }

  /** The tracks that this side sends, once the devices are open. Null before they were requested. */
  get tracks(): Promise<readonly MediaStreamTrack[]> | null {
    if (!this.#opened) return null;
    return this.#opened.then(() => {
      const { audio, video } = this.localTracks;
      return [audio, video].filter((track) => track !== null);
    });
  }

  get localTracks(): { audio: MediaStreamTrack | null; video: MediaStreamTrack | null } {
    return { audio: this.#devices.audioTrack, video: this.#devices.videoTrack };
  }

  get remoteTracks(): { audio: MediaStreamTrack | null; video: MediaStreamTrack | null } {
    const stream = this.#remoteStream;
    return { audio: stream?.getAudioTracks()[0] ?? null, video: stream?.getVideoTracks()[0] ?? null };
  }

  /** True when the other side's media has arrived. */
  get hasRemoteStream(): boolean {
    return this.#remoteStream !== null;
  }

  /** Sets the media and the views that the host wants. */
  choose(option: DirectCallOption): void {
    this.#local = this.#chosen = mediaSettings(option);
    if (option.localMediaView !== undefined) void this.localView.set(option.localMediaView);
    if (option.remoteMediaView !== undefined) void this.remoteView.set(option.remoteMediaView);
  }

  /** Opens the microphone and the camera as they were chosen. */
  open(): void {
    const { call, choice, isVideoCall, log, platform } = this.#options;
    const useSpeaker = async () => {
      const speaker = choice.wish('audiooutput');
      if (speaker !== undefined) await this.remoteView.setSpeaker(speaker);
    };
    useSpeaker().catch((error: unknown) => log.warning('the chosen speaker is not used', { error }));
    this.#leave = choice.join({
      use: async (kind) => {
        if (kind === 'audiooutput') await useSpeaker();
      },
      renew: () => Promise.resolve(),
    });
    this.#opened = this.#devices.open({ audio: true, video: isVideoCall, ...this.#local }).then(({ stream }) => {
      // The view waits for a turn: an offer that waits for the tracks goes first.
      platform.clock.after(0, () => {
        if (!call.isOver()) this.localView.attach(stream);
      });
    });
    this.#opened.catch((error: unknown) => log.error('no media could be opened', { error }));
  }

  setAudioEnabled(enabled: boolean): void {
    const { call, tell } = this.#options;
    if (this.#local.audioEnabled === enabled || call.isOver()) return;
    this.#local = { ...this.#local, audioEnabled: enabled };
    this.#devices.setAudioEnabled(enabled && !call.isOnHold());
    tell('audio', enabled);
  }

  setVideoEnabled(enabled: boolean): void {
    const { call, tell, isVideoCall } = this.#options;
    if (!isVideoCall || this.#local.videoEnabled === enabled || call.isOver()) return;
    this.#local = { ...this.#local, videoEnabled: enabled };
    this.#devices.setVideoEnabled(enabled && !call.isOnHold());
    // A shared screen stays visible, whatever the camera does.
    if (!call.isSharing()) tell('video', enabled);
  }

  /**
   * Switches between the front and the rear camera.
   * @throws CallError `CAMERA_ALREADY_SWITCHING` during a switch, `ERR_CAMERA_SWITCH` when it fails.
   */
  switchCamera(): Promise<void> {
    return this.#devices.switchCamera();
  }

  /** Sends the screen in place of the camera, or the camera again. A screen can be shown while the camera is off. */
  async sendScreen(screen: MediaStreamTrack | null): Promise<void> {
    const { platform, tell, send } = this.#options;
    this.localView.attach(screen ? platform.rtc.createMediaStream([screen]) : this.#devices.stream);
    if (!this.isLocalVideoEnabled) tell('video', screen !== null);
    await send('video', screen ?? this.#devices.videoTrack);
  }

  /** Handles that the other side's sound is on or off. Returns whether it changed. */
  remoteAudio(enabled: boolean): boolean {
    const isNews = this.#remote.audio !== enabled;
    this.#remote.audio = enabled;
    return isNews;
  }

  /** Handles that the other side's picture is on or off. Returns whether it changed: never in a voice call. */
  remoteVideo(enabled: boolean): boolean {
    if (!this.#options.isVideoCall || this.#remote.video === enabled) return false;
    this.#remote.video = enabled;
    return true;
  }

  /** Shows the other side's media, which arrived or now comes over another connection. */
  showRemote(stream: MediaStream): void {
    this.#remoteStream = stream;
    this.remoteView.attach(stream);
    this.silence(this.#options.call.isOnHold());
    this.#options.changed();
  }

  /** Silences both directions, or opens them as far as the host has them on. */
  silence(onHold: boolean): void {
    this.#devices.setAudioEnabled(this.#local.audioEnabled && !onHold);
    this.#devices.setVideoEnabled(this.#local.videoEnabled && !onHold);
    for (const track of this.#remoteStream?.getTracks() ?? []) track.enabled = !onHold;
  }

  /** Stops the sent media. */
  close(): void {
    this.#leave();
    this.#devices.close();
  }

  /** Stops the sent media, and clears the views. */
  release(): void {
    this.close();
    this.localView.attach(null);
    this.remoteView.attach(null);
  }

  async #trackChanged(kind: TrackKind, track: MediaStreamTrack): Promise<void> {
    const { call, send, log, changed } = this.#options;
    // While the screen is shared, another camera waits.
    if (kind === 'audio' || !call.isSharing()) {
      await send(kind, track).catch((error: unknown) => log.error(`the ${kind} track was not replaced`, { error }));
    }
    changed();
  }
}
