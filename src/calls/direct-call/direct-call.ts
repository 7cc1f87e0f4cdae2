import { CallError } from '../../protocol/errors.ts';
import { optionalFlag } from '../client/checks.ts';
import type { CustomItems, CustomItemsResult } from '../client/custom-items.ts';
import type { ConnectionQualityMonitoringMode, RecordingStatus } from '../client/public-enumerations.ts';
import type { DirectCallUser, DirectCallUserRole } from '../client/user.ts';
import type { Logger } from '../logging/log.ts';
import type { CaptureVideoViewHandler, CaptureVideoViewResult } from '../media/capture.ts';
import type { MissingDevice } from '../media/local-media.ts';
import { CallLeg } from './call-leg.ts';
import type { LegFacts, LegNotifications, LegSurroundings } from './leg-surroundings.ts';
import { checkAcceptParams, type AcceptParams } from './call-options.ts';
import { DirectCallLog, type DirectCallEndResult } from './direct-call-log.ts';
import type { CustomItemsHandler } from './custom-item-requests.ts';
import { answerHost, callHost, type CallNotifications } from './notifications.ts';
import type { ConnectionMetrics } from '../stats/quality-monitor.ts';
import { checkRecordOption, type DirectCallRecordOption } from './record-option.ts';

type Listener<Name extends keyof CallNotifications<DirectCall>> = CallNotifications<DirectCall>[Name] | null;

/** What a call asks of the client: the rule about other calls, and the device-wide ring. */
export interface CallHousehold {
  /** Holds or ends the other calls before this one becomes active (§5, holdActiveCall). */
  makeRoom(call: DirectCall, holdActiveCall: boolean): void;
  ringing(call: DirectCall): void;
}

/**
 * One call between two users, as a host sees it. Assign functions to the `on…` properties to follow it; the last
 * assignment wins. Methods that mute, show and end never throw, also after the end.
 */
export class DirectCall {
  /** The callee accepted; media is not up yet. */
  onEstablished: Listener<'onEstablished'> = null;
  /** Media is up. */
  onConnected: Listener<'onConnected'> = null;
  /** Media is lost; the call has 30 seconds to find it again. */
  onReconnecting: Listener<'onReconnecting'> = null;
  /** Media is back. */
  onReconnected: Listener<'onReconnected'> = null;
  /** The call is over, for whatever reason: see `endResult`. Called once. */
  onEnded: Listener<'onEnded'> = null;
  /** The other side switched its microphone: see `isRemoteAudioEnabled`. */
  onRemoteAudioSettingsChanged: Listener<'onRemoteAudioSettingsChanged'> = null;
  /** The other side switched its picture: see `isRemoteVideoEnabled`. */
  onRemoteVideoSettingsChanged: Listener<'onRemoteVideoSettingsChanged'> = null;
  /** Custom items were added or changed, here or elsewhere; told with their keys. */
  onCustomItemsUpdated: Listener<'onCustomItemsUpdated'> = null;
  /** Custom items were deleted, here or elsewhere; told with their keys. */
  onCustomItemsDeleted: Listener<'onCustomItemsDeleted'> = null;
  /** The other side began or stopped to record: see `remoteRecordingStatus`. */
  onRemoteRecordingStatusChanged: Listener<'onRemoteRecordingStatusChanged'> = null;
  /** A side held the call or took it from hold; told whether it was this one, and whether it holds now. */
  onUserHoldStatusChanged: Listener<'onUserHoldStatusChanged'> = null;
  /** This side's screen is shared no longer: it was stopped here, or by the browser's own control. */
  onScreenShareStopped: Listener<'onScreenShareStopped'> = null;
  /** A microphone or camera of this side cannot be had, or one that could not be had now can: see `missingDevices`. */
  onLocalDeviceMissing: Listener<'onLocalDeviceMissing'> = null;
  /** A device of the callee got the ring. */
  onCalleeDialReceived: Listener<'onCalleeDialReceived'> = null;

  readonly #leg: CallLeg;
  readonly #household: CallHousehold;
  readonly #log: Logger;
  /** What the host asked for last. While one of its listeners runs, the state follows only after that. */
  #asked: 'accept' | 'end' | null = null;

  /** @internal Calls are made by `dial` and by the ring, not by hosts. */
  constructor(facts: LegFacts, surroundings: LegSurroundings, household: CallHousehold) {
    this.#household = household;
    this.#log = surroundings.log;
    this.#leg = new CallLeg(facts, surroundings, this.#notifications());
  }

  /** @internal The leg under a call, for the client's own parts; hosts do not have it. */
  static leg(call: DirectCall): CallLeg {
    return call.#leg;
  }

  /** Empty until the exchange has acknowledged the dial. */
  get callId(): string {
    return this.#leg.identity.callId;
  }

  /** Who dialled. */
  get caller(): DirectCallUser {
    return this.#leg.identity.caller;
  }

  /** Who was dialled. */
  get callee(): DirectCallUser {
    return this.#leg.identity.callee;
  }

  /** The user on this side. */
  get localUser(): DirectCallUser {
    return this.#leg.identity.local;
  }

  /** The user on the other side. */
  get remoteUser(): DirectCallUser {
    return this.#leg.identity.remote;
  }

  /** Which side this is. */
  get myRole(): DirectCallUserRole {
    return this.#leg.identity.role;
  }

  /** It was dialled as a video call. */
  get isVideoCall(): boolean {
    return this.#leg.identity.isVideoCall;
  }

  /** This side's microphone is on. */
  get isLocalAudioEnabled(): boolean {
    return this.#leg.media.isLocalAudioEnabled;
  }

  /** This side's devices that could not be had, and why; silence or a black picture is sent in their place. */
  get missingDevices(): readonly MissingDevice[] {
    return this.#leg.media.missing;
  }

  /** The other side's microphone is on. */
  get isRemoteAudioEnabled(): boolean {
    return this.#leg.media.isRemoteAudioEnabled;
  }

  /** This side's picture is on; false in a voice call. */
  get isLocalVideoEnabled(): boolean {
    return this.#leg.media.isLocalVideoEnabled;
  }

  /** The other side's picture is on, its screen included. */
  get isRemoteVideoEnabled(): boolean {
    return this.#leg.media.isRemoteVideoEnabled;
  }

  /** The element that shows this side's picture. */
  get localMediaView(): HTMLMediaElement | null {
    return this.#leg.media.localElement;
  }

  /** The element that plays the other side's media. */
  get remoteMediaView(): HTMLMediaElement | null {
    return this.#leg.media.remoteElement;
  }

  /** Accepted and not over: established, connected or reconnecting. */
  get isOngoing(): boolean {
    return this.#leg.lifecycle.is('established', 'connected', 'reconnecting');
  }

  /** Either side holds the call. */
  get isOnHold(): boolean {
    return this.#leg.hold.isOnHold;
  }

  /** It is over, however it ended. */
  get isEnded(): boolean {
    return this.#leg.lifecycle.isOver;
  }

  /** Who ended the call; null while it lives and where nobody did. */
  get endedBy(): DirectCallUser | null {
    return this.#leg.identity.participant(this.#leg.record.endedBy);
  }

  /** Undefined while the call lives. */
  get endResult(): DirectCallEndResult | undefined {
    return this.#leg.record.publicResult;
  }

  /** What apps keep with this call. */
  get customItems(): CustomItems {
    return this.#leg.identity.customItems;
  }

  /** Whether this side records. */
  get localRecordingStatus(): RecordingStatus {
    return this.#leg.recording.status;
  }

  /** This side's screen is sent in place of its camera. */
  get isLocalScreenShareEnabled(): boolean {
    return this.#leg.screenShare.isSharing;
  }

  /** Whether the other side records. */
  get remoteRecordingStatus(): RecordingStatus {
    return this.#leg.remoteRecordingStatus;
  }

  /** The record of the call as it stands. */
  get callLog(): DirectCallLog {
    const { identity, record } = this.#leg;
    const { callId, isVideoCall, customItems, role, caller, callee } = identity;
    return new DirectCallLog({
      callId,
      isVideoCall,
      customItems,
      userRole: role,
      caller,
      callee,
      startedAt: record.startedAt,
      endedAt: record.endedAt,
      endedBy: this.endedBy,
      duration: record.duration(),
      endResult: record.publicResult,
      isFromServer: false,
    });
  }

  /** Milliseconds connected. */
  getDuration(): number {
    return this.#leg.record.duration();
  }

  /**
   * Takes an incoming call. Devices are opened now, not before.
   *
   * @throws CallError 1800300 or 1800301 naming the parameter at fault; 1400105 on the caller's side (§6).
   */
  accept(params: AcceptParams): void {
    const { callOption, holdActiveCall } = checkAcceptParams(params);
    if (this.myRole === 'dc_caller') throw new CallError(1400105, { message: 'Only the callee may accept a call.' });
    if (!this.#leg.lifecycle.is('ringing') || this.#asked !== null) {
      this.#log.warning(`accept in ${this.#leg.state}: nothing to accept`);
      return;
    }
    this.#household.makeRoom(this, holdActiveCall ?? false);
    // The host may have ended or accepted this call in the listener for the end of the other one.
    if (this.isEnded || this.#asked !== null) return;
    this.#asked = 'accept';
    this.#leg.media.open(callOption);
    this.#leg.lifecycle.raise('acceptRequested');
  }

  /** Declines, cancels or hangs up, whichever fits. Ending a call twice, or one that is over, does nothing. */
  end(): void {
    if (this.isEnded || this.#asked === 'end') return;
    this.#asked = 'end';
    this.#leg.lifecycle.raise('endRequested');
  }

  /** Sends silence; the other side is told. */
  muteMicrophone(): void {
    this.#leg.media.setAudioEnabled(false);
  }

  /** Sends what the microphone hears; the other side is told. */
  unmuteMicrophone(): void {
    this.#leg.media.setAudioEnabled(true);
  }

  /** Sends the picture; the other side is told. */
  startVideo(): void {
    this.#leg.media.setVideoEnabled(true);
  }

  /** Sends black; the other side is told. */
  stopVideo(): void {
    this.#leg.media.setVideoEnabled(false);
  }

  /**
   * Changes between the front and the rear camera.
   *
   * @throws CallError 1800400 while a switch is under way, 1800401 when the other camera cannot be had.
   */
  switchCamera(): Promise<void> {
    return this.#leg.media.switchCamera();
  }

  /** Shows this side's picture in an element; null takes it away. */
  setLocalMediaView(view: HTMLMediaElement | null | undefined): Promise<void> {
    return this.#leg.media.setLocalView(view);
  }

  /** Shows the other side's media in an element; null takes it away. */
  setRemoteMediaView(view: HTMLMediaElement | null | undefined): Promise<void> {
    return this.#leg.media.setRemoteView(view);
  }

  /**
   * Adds custom items to the call, or changes those it has. They are strings, at most 10; a key and a value have 1 to 128
   * characters, a key no comma (D24). Both sides are told by {@link onCustomItemsUpdated}. A handler learns what the promise does.
   *
   * @throws CallError 1800300 or 1800301 naming `customItems`, or `callId` while the call has none; 1800303 while nobody is
   *   signed in; as the request fails or the exchange answers.
   */
  updateCustomItems(customItems: CustomItems, handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#leg.customItems.update(this.callId, customItems, handler);
  }

  /** Deletes custom items by their keys, else as {@link updateCustomItems}. @throws CallError, `keys` where it names one. */
  deleteCustomItems(keys: string[], handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#leg.customItems.delete(this.callId, keys, handler);
  }

  /** Deletes all custom items, else as {@link deleteCustomItems}. */
  deleteAllCustomItems(handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#leg.customItems.deleteAll(this.callId, handler);
  }

  /**
   * Holds the call: neither side hears or sees the other. A call that is over stays as it is.
   *
   * @throws CallError 1800801 when held here already; 1400101 before the call is established.
   */
  hold(): Promise<void> {
    return this.#leg.hold.hold();
  }

  /**
   * Takes the call from hold. `force` ends the other calls first. A call that is over stays as it is.
   *
   * @throws CallError 1800301 naming `force` when it is there and no boolean; 1800802 when not held here; 1800803 when
   *   another call is active and `force` is not given.
   */
  async unhold(force = false): Promise<void> {
    await this.#leg.hold.unhold(optionalFlag(force, 'force', false));
  }

  /**
   * Lets the user choose a screen, a window or a tab and sends it in place of the camera, until it is stopped here or by
   * the browser's own control ({@link onScreenShareStopped}), or the call ends. The other side is told that there is a
   * picture also while this side's video is off.
   *
   * @throws CallError 1800620 in a voice call; 1800621 when not connected or reconnecting; 1800622 while sharing; 1800631
   *   on hold; 1800625 where the browser cannot; 1800627 to 1800630 as the browser refuses, else 1800626.
   */
  startScreenShare(): Promise<void> {
    return this.#leg.screenShare.start();
  }

  /** Goes back to the camera. A call that is over stays as it is. @throws CallError 1800623 when nothing is shared. */
  stopScreenShare(): void {
    if (!this.isEnded) this.#leg.screenShare.stop();
  }

  /**
   * Records the tracks that the recording type names, as they are sent now. The other side is told. When the recording
   * ends, by {@link stopRecording} or with the call, the file is downloaded and the recording listeners hear of it.
   *
   * @returns the recording's id.
   * @throws CallError 1800300 or 1800301 naming the parameter at fault; 1800610 when not connected; 1800611 when video is
   *   wanted of a voice call; 1800617 when the type is none; 1800612 while recording; 1800618 where the operating
   *   system is too old, 1800616 where the browser cannot; 1800614 when it does not start.
   */
  startRecording(option: DirectCallRecordOption): string {
    return this.#leg.recording.start(checkRecordOption(option, this.callId));
  }

  /** Stops a recording. Returns whether it was running. */
  stopRecording(recordingId: string): boolean {
    return this.#leg.recording.stop(recordingId);
  }

  /**
   * Takes a still picture of this side's media view, the shared screen where that is shown.
   *
   * @throws CallError, in this order: 1800600 in a voice call; 1800602 when not connected; 1800601 when no video element
   *   shows a picture; 1800631 on hold; 1800603 when the picture cannot be had.
   */
  captureLocalVideoView(handler?: CaptureVideoViewHandler): Promise<CaptureVideoViewResult> {
    return this.#capture('local', handler);
  }

  /** Takes a still picture of the other side's media view; otherwise like {@link captureLocalVideoView}. */
  captureRemoteVideoView(handler?: CaptureVideoViewHandler): Promise<CaptureVideoViewResult> {
    return this.#capture('remote', handler);
  }

  #capture(side: 'local' | 'remote', handler?: CaptureVideoViewHandler): Promise<CaptureVideoViewResult> {
    const taken = new Promise<CaptureVideoViewResult>((resolve) => resolve(this.#leg.capture(side)));
    return answerHost(this.#log, 'the capture handler', taken, handler);
  }

  /**
   * Tells a function how good the connection is while the call is connected: every 3 seconds, or when the quality changes.
   * It takes the place of the one before, and is told nothing after the end.
   *
   * @throws CallError 1800300 or 1800301 naming `mode` or `listener`.
   */
  setConnectionQualityListener(
    mode: ConnectionQualityMonitoringMode,
    listener: (metrics: ConnectionMetrics) => void,
  ): void {
    this.#leg.stats.quality.listen(mode, listener);
  }

  /** Without a listener it does nothing. */
  removeConnectionQualityListener(): void {
    this.#leg.stats.quality.remove();
  }

  #notifications(): LegNotifications {
    const tell = (
      name:
        | 'onEstablished'
        | 'onConnected'
        | 'onReconnecting'
        | 'onReconnected'
        | 'onEnded'
        | 'onCalleeDialReceived'
        | 'onRemoteAudioSettingsChanged'
        | 'onRemoteVideoSettingsChanged'
        | 'onRemoteRecordingStatusChanged'
        | 'onScreenShareStopped'
        | 'onLocalDeviceMissing',
    ) => {
      return () => callHost(this.#log, name, this[name], this);
    };
    return {
      ringing: () => this.#household.ringing(this),
      established: tell('onEstablished'),
      connected: tell('onConnected'),
      reconnecting: tell('onReconnecting'),
      reconnected: tell('onReconnected'),
      ended: tell('onEnded'),
      remoteAudioChanged: tell('onRemoteAudioSettingsChanged'),
      remoteVideoChanged: tell('onRemoteVideoSettingsChanged'),
      remoteRecordingChanged: tell('onRemoteRecordingStatusChanged'),
      screenShareStopped: tell('onScreenShareStopped'),
      localDeviceMissing: tell('onLocalDeviceMissing'),
      dialReceived: tell('onCalleeDialReceived'),
      customItemsChanged: (how, keys) => {
        const name = how === 'updated' ? 'onCustomItemsUpdated' : 'onCustomItemsDeleted';
        callHost(this.#log, name, this[name], this, keys);
      },
      holdChanged: (isLocal, onHold) =>
        callHost(this.#log, 'onUserHoldStatusChanged', this.onUserHoldStatusChanged, this, isLocal, onHold),
    };
  }
}
