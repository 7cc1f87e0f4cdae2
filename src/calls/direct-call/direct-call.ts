import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { optionalFlag } from '../host/checks.ts';
import type { CustomItems, CustomItemsResult } from '../host/custom-items.ts';
import type { ConnectionQualityMonitoringMode, RecordingStatus } from '../host/public-enumerations.ts';
import type { Logger } from '../logging/log.ts';
import type { CaptureVideoViewHandler, CaptureVideoViewResult } from '../media/capture.ts';
import type { MissingDevice } from '../media/local-media.ts';
import { CallLeg } from './call-leg.ts';
import type { LegFacts, LegNotifications, LegDeps } from './leg-deps.ts';
import { checkAcceptParams, type AcceptParams } from './call-options.ts';
import { DirectCallLog, type DirectCallEndResult } from './direct-call-log.ts';
import type { CustomItemsHandler } from '../host/custom-item-requests.ts';
import { answerHost, callHost } from '../host/call-host.ts';
import type { DirectCallUser, DirectCallUserRole } from './call-identity.ts';
import type { CallNotifications } from './notifications.ts';
import type { ConnectionMetrics } from '../stats/quality-monitor.ts';
import { checkRecordOption, type DirectCallRecordOption } from './record-option.ts';

/** A function for a notification of a call. Null without one. */
type Listener<Name extends keyof CallNotifications<DirectCall>> = CallNotifications<DirectCall>[Name] | null;

/** The client of a call: it applies the rule about other calls and reports an incoming call. */
export interface CallPolicy {
  /** Holds or ends the other calls before this one becomes active (§5, holdActiveCall). */
  holdOrEndOthers(call: DirectCall, holdActiveCall: boolean): void;
  /** Reports an incoming call to the listeners of the host. */
  ringing(call: DirectCall): void;
}

/**
 * A direct call between two users (§4). A host assigns functions to the `on…` properties. The last assignment counts.
 * Methods that mute, show video or end the call never throw, also after the end.
 */
export class DirectCall {
  /** Runs when the callee has accepted. Media does not flow yet. */
  onEstablished: Listener<'onEstablished'> = null;
  /** Runs when media flows for the first time. */
  onConnected: Listener<'onConnected'> = null;
  /** Runs when media is lost. The call ends as `connection_lost` unless media flows again within 30 seconds. */
  onReconnecting: Listener<'onReconnecting'> = null;
  /** Runs when media flows again. */
  onReconnected: Listener<'onReconnected'> = null;
  /** Runs once, when the call has ended. `endResult` states how. */
  onEnded: Listener<'onEnded'> = null;
  /** Runs when the remote user mutes or unmutes the microphone. `isRemoteAudioEnabled` has the state. */
  onRemoteAudioSettingsChanged: Listener<'onRemoteAudioSettingsChanged'> = null;
  /** Runs when the remote user starts or stops video. `isRemoteVideoEnabled` has the state. */
  onRemoteVideoSettingsChanged: Listener<'onRemoteVideoSettingsChanged'> = null;
  /** Runs when a user or a server has added or changed custom items. Gets their keys. */
  onCustomItemsUpdated: Listener<'onCustomItemsUpdated'> = null;
  /** Runs when a user or a server has deleted custom items. Gets their keys. */
  onCustomItemsDeleted: Listener<'onCustomItemsDeleted'> = null;
  /** Runs when the remote user starts or stops a recording. `remoteRecordingStatus` has the state. */
  onRemoteRecordingStatusChanged: Listener<'onRemoteRecordingStatusChanged'> = null;
  /**
   * Runs when a user holds or resumes the call. Gets whether it was the local user, and whether that user holds the
   * call.
   */
  onUserHoldStatusChanged: Listener<'onUserHoldStatusChanged'> = null;
  /** Runs when the local screen share has stopped, by `stopScreenShare` or by the browser's own control. */
  onScreenShareStopped: Listener<'onScreenShareStopped'> = null;
  /**
   * Runs when a local microphone or camera becomes unavailable or available. `missingDevices` lists the unavailable
   * ones.
   */
  onLocalDeviceMissing: Listener<'onLocalDeviceMissing'> = null;
  /** Runs when a device of the callee has received the dial. */
  onCalleeDialReceived: Listener<'onCalleeDialReceived'> = null;

  readonly #leg: CallLeg;
  readonly #policy: CallPolicy;
  readonly #log: Logger;
  /** The last request of the host. While a listener of the host runs, the state changes only after the listener. */
  #asked: 'accept' | 'end' | null = null;

  /** @internal The library makes calls, when the host dials and when a call comes in. */
  constructor(facts: LegFacts, deps: LegDeps, policy: CallPolicy) {
    this.#policy = policy;
    this.#log = deps.log;
    this.#leg = new CallLeg(facts, deps, this.#notifications());
  }

  /** @internal Returns the leg of a call to other parts of the client. Hosts do not have it. */
  static leg(call: DirectCall): CallLeg {
    return call.#leg;
  }

  /** The id of the call. Empty before the exchange has acknowledged the dial. */
  get callId(): string {
    return this.#leg.identity.callId;
  }

  /** The user who dialled. */
  get caller(): DirectCallUser {
    return this.#leg.identity.caller;
  }

  /** The user who was dialled. */
  get callee(): DirectCallUser {
    return this.#leg.identity.callee;
  }

  /** The user of this client. */
  get localUser(): DirectCallUser {
    return this.#leg.identity.local;
  }

  /** The other user of the call. */
  get remoteUser(): DirectCallUser {
    return this.#leg.identity.remote;
  }

  /** The role of the local user: caller or callee. */
  get myRole(): DirectCallUserRole {
    return this.#leg.identity.role;
  }

  /** True when the caller dialled a video call, false for a voice call. */
  get isVideoCall(): boolean {
    return this.#leg.identity.isVideoCall;
  }

  /** True while the local microphone is sent, false while it is muted. */
  get isLocalAudioEnabled(): boolean {
    return this.#leg.media.isLocalAudioEnabled;
  }

  /** The local devices that could not be opened, with the reason. Silence or a black picture is sent instead. */
  get missingDevices(): readonly MissingDevice[] {
    return this.#leg.media.missing;
  }

  /** True while the remote user sends the microphone, false while it is muted. */
  get isRemoteAudioEnabled(): boolean {
    return this.#leg.media.isRemoteAudioEnabled;
  }

  /** True while local video is sent. False in a voice call. */
  get isLocalVideoEnabled(): boolean {
    return this.#leg.media.isLocalVideoEnabled;
  }

  /** True while the remote user sends video from the camera or the screen. */
  get isRemoteVideoEnabled(): boolean {
    return this.#leg.media.isRemoteVideoEnabled;
  }

  /** The element that shows the local video. Null before one is set. */
  get localMediaView(): HTMLMediaElement | null {
    return this.#leg.media.localView.element;
  }

  /** The element that plays the remote audio and video. Null before one is set. */
  get remoteMediaView(): HTMLMediaElement | null {
    return this.#leg.media.remoteView.element;
  }

  /** True while the call is established, connected or reconnecting. */
  get isOngoing(): boolean {
    return this.#leg.lifecycle.isUnderWay;
  }

  /** True while either user holds the call. */
  get isOnHold(): boolean {
    return this.#leg.hold.isOnHold;
  }

  /** True after the end of the call. */
  get isEnded(): boolean {
    return this.#leg.lifecycle.isOver;
  }

  /** The user who ended the call. Null before the end, and when no user ended it. */
  get endedBy(): DirectCallUser | null {
    return this.#leg.identity.participant(this.#leg.record.endedBy);
  }

  /** How the call ended. Undefined before the end. */
  get endResult(): DirectCallEndResult | undefined {
    return this.#leg.record.publicResult;
  }

  /** The custom items of the call: texts that apps store with it (D24). */
  get customItems(): CustomItems {
    return this.#leg.identity.customItems;
  }

  /** The state of the local recording: `recording` or `none`. */
  get localRecordingStatus(): RecordingStatus {
    return this.#leg.recording.status;
  }

  /** True while the local screen is sent in place of the camera. */
  get isLocalScreenShareEnabled(): boolean {
    return this.#leg.screenShare.isSharing;
  }

  /** The state of the recording by the remote user: `recording` or `none`. */
  get remoteRecordingStatus(): RecordingStatus {
    return this.#leg.remoteRecordingStatus;
  }

  /** The record of the call up to now (§3, ended call record). */
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

  /** Returns how long the call has been connected, in milliseconds. 0 before that. */
  getDuration(): number {
    return this.#leg.record.duration();
  }

  /**
   * Accepts an incoming call and opens the microphone and the camera (§5).
   *
   * Does nothing when the call does not ring any more.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names; ERR_NO_PERMISSION (1400105) for the caller (§6).
   */
  accept(params: AcceptParams): void {
    const { callOption, holdActiveCall } = checkAcceptParams(params);
    if (this.myRole === 'dc_caller')
      throw new CallError(ErrorCode.ERR_NO_PERMISSION, { message: 'Only the callee may accept a call.' });
    if (!this.#leg.lifecycle.is('ringing') || this.#asked !== null) {
      this.#log.warning(`accept in ${this.#leg.state}: nothing to accept`);
      return;
    }
    this.#policy.holdOrEndOthers(this, holdActiveCall ?? false);
    // The host may have ended or accepted this call in the listener for the end of the other one.
    if (this.isEnded || this.#asked !== null) return;
    this.#asked = 'accept';
    this.#leg.media.choose(callOption);
    this.#leg.lifecycle.raise('acceptRequested');
  }

  /** Ends the call: it cancels a dial, declines a ring or hangs up. After the end it does nothing. */
  end(): void {
    if (this.isEnded || this.#asked === 'end') return;
    this.#asked = 'end';
    this.#leg.lifecycle.raise('endRequested');
  }

  /** Mutes the local microphone: silence is sent. The remote user gets `onRemoteAudioSettingsChanged`. */
  muteMicrophone(): void {
    this.#leg.media.setAudioEnabled(false);
  }

  /** Sends the local microphone again. The remote user gets `onRemoteAudioSettingsChanged`. */
  unmuteMicrophone(): void {
    this.#leg.media.setAudioEnabled(true);
  }

  /** Sends local video. The remote user gets `onRemoteVideoSettingsChanged`. */
  startVideo(): void {
    this.#leg.media.setVideoEnabled(true);
  }

  /** Sends a black picture in place of local video. The remote user gets `onRemoteVideoSettingsChanged`. */
  stopVideo(): void {
    this.#leg.media.setVideoEnabled(false);
  }

  /**
   * Switches between the front camera and the rear camera.
   *
   * @throws CallError CAMERA_ALREADY_SWITCHING (1800400) during a switch; ERR_CAMERA_SWITCH (1800401) when the other
   *   camera cannot be opened.
   */
  switchCamera(): Promise<void> {
    return this.#leg.media.switchCamera();
  }

  /** Sets the element that shows the local video. Null removes it. */
  setLocalMediaView(view: HTMLMediaElement | null | undefined): Promise<void> {
    return this.#leg.media.localView.set(view);
  }

  /** Sets the element that plays the remote audio and video. Null removes it. */
  setRemoteMediaView(view: HTMLMediaElement | null | undefined): Promise<void> {
    return this.#leg.media.remoteView.set(view);
  }

  /**
   * Adds or changes custom items of the call (D24).
   *
   * A call has at most 10 items. Keys and values are strings of 1 to 128 characters, and a key has no comma. Both users
   * get `onCustomItemsUpdated`. A handler gets the result of the promise.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `customItems`, or for
   *   `callId` before the exchange has acknowledged the dial; USER_NOT_AUTHENTICATED (1800303) before `authenticate`
   *   resolves; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  updateCustomItems(customItems: CustomItems, handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#leg.customItems.update(this.callId, customItems, handler);
  }

  /**
   * Deletes custom items of the call by their keys (D24). Both users get `onCustomItemsDeleted`.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `keys`, or for `callId`
   *   before the exchange has acknowledged the dial; USER_NOT_AUTHENTICATED (1800303) before `authenticate` resolves;
   *   ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  deleteCustomItems(keys: string[], handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#leg.customItems.delete(this.callId, keys, handler);
  }

  /**
   * Deletes all custom items of the call (D24). Both users get `onCustomItemsDeleted`.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `callId` before the
   *   exchange has acknowledged the dial; USER_NOT_AUTHENTICATED (1800303) before `authenticate` resolves;
   *   ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  deleteAllCustomItems(handler?: CustomItemsHandler | null): Promise<CustomItemsResult> {
    return this.#leg.customItems.deleteAll(this.callId, handler);
  }

  /**
   * Holds the call: neither user hears or sees the other (§4, hold). After the end it does nothing.
   *
   * @throws CallError ERR_CALL_ALREADY_ON_HOLD (1800801) when the local user holds the call already;
   *   ERR_INVALID_CALL_STATUS (1400101) before the call is established.
   */
  hold(): Promise<void> {
    return this.#leg.hold.hold();
  }

  /**
   * Resumes a call that the local user holds (§4, hold). `force` ends the other active calls first. Default: false.
   * After the end it does nothing.
   *
   * @throws CallError INVALID_PARAMETER_TYPE (1800301) for `force`; ERR_ACTIVE_CALL_IN_PROGRESS (1800802) when the
   *   local user does not hold the call; ERR_ANOTHER_CALL_IN_PROGRESS (1800803) when another call is active and `force`
   *   is false.
   */
  async unhold(force = false): Promise<void> {
    await this.#leg.hold.unhold(optionalFlag(force, 'force', false));
  }

  /**
   * Sends a screen, a window or a tab in place of the camera, after the user has chosen one (§5).
   *
   * The share lasts until `stopScreenShare`, the control of the browser or the end of the call. The remote user gets
   * `isRemoteVideoEnabled` as true, also while local video is stopped.
   *
   * @throws CallError ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL (1800620) in a voice call;
   *   ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED (1800621) unless the call is connected or reconnecting;
   *   ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS (1800622) while a share runs; ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD (1800631)
   *   on hold; ERR_NOT_SUPPORTED_BROWSER_FOR_SCREEN_SHARE (1800625) when the browser cannot share;
   *   ERR_PERMISSION_DENIED_FOR_SCREEN_SHARE (1800628) when the user or the page policy refuses;
   *   ERR_SELECTED_CONTENT_NOT_EXIST (1800629) when there is nothing to share; ERR_SELECTED_CONTENT_INACCESSIBLE
   *   (1800630) when the system refuses access; ERR_NOT_SUPPORTED_APP_STATE_FOR_SCREEN_SHARE (1800627) in a wrong state
   *   of the page, such as without a user gesture; ERR_SCREEN_SHARE_FAILED_DUE_TO_UNKNOWN_REASON (1800626) for any
   *   other failure.
   */
  startScreenShare(): Promise<void> {
    return this.#leg.screenShare.start();
  }

  /**
   * Stops the screen share and sends the camera again. After the end it does nothing.
   *
   * @throws CallError ERR_NO_SCREEN_SHARE_EXISTS (1800623) when no share runs.
   */
  stopScreenShare(): void {
    if (!this.isEnded) this.#leg.screenShare.stop();
  }

  /**
   * Starts a recording of the tracks that the recording type names (§3, recording options).
   *
   * The remote user gets `onRemoteRecordingStatusChanged`. The recording ends by `stopRecording` or with the call. Then
   * the browser downloads the file, and the recording listeners get the result.
   *
   * @returns the id of the recording.
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names; ERR_CALL_NOT_CONNECTED_YET (1800610) unless the call is connected; ERR_WRONG_RECORDING_TYPE_FOR_AUDIO_CALL
   *   (1800611) for a type with video in a voice call; ERR_INVALID_RECORDING_TYPE (1800617) for an unknown type;
   *   ERR_RECORDING_ALREADY_IN_PROGRESS (1800612) while a recording runs; ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING
   *   (1800618) when the operating system is too old; ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING (1800616) when the
   *   browser cannot record; ERR_FAILED_TO_START_RECORDING (1800614) when the recorder does not start.
   */
  startRecording(option: DirectCallRecordOption): string {
    return this.#leg.recording.start(checkRecordOption(option, this.callId));
  }

  /** Stops the recording with this id. Returns true when it was running. */
  stopRecording(recordingId: string): boolean {
    return this.#leg.recording.stop(recordingId);
  }

  /**
   * Captures a still picture from the element that shows the local video or the local screen (§5).
   *
   * @throws CallError in this order: ERR_CAPTURE_NOT_ALLOWED_ON_AUDIO_CALL (1800600) in a voice call;
   *   ERR_VIDEO_CALL_NOT_CONNECTED_YET (1800602) unless the call is connected; ERR_VIDEO_VIEW_NOT_READY (1800601) when
   *   no video element shows a picture; ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD (1800631) on hold;
   *   FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM (1800603) when the picture cannot be read.
   */
  captureLocalVideoView(handler?: CaptureVideoViewHandler): Promise<CaptureVideoViewResult> {
    return this.#capture('local', handler);
  }

  /**
   * Captures a still picture from the element that plays the remote video (§5).
   *
   * @throws CallError in this order: ERR_CAPTURE_NOT_ALLOWED_ON_AUDIO_CALL (1800600) in a voice call;
   *   ERR_VIDEO_CALL_NOT_CONNECTED_YET (1800602) unless the call is connected; ERR_VIDEO_VIEW_NOT_READY (1800601) when
   *   no video element shows a picture; ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD (1800631) on hold;
   *   FAILED_TO_GET_IMAGE_FROM_THE_MEDIA_STREAM (1800603) when the picture cannot be read.
   */
  captureRemoteVideoView(handler?: CaptureVideoViewHandler): Promise<CaptureVideoViewResult> {
    return this.#capture('remote', handler);
  }

  #capture(side: 'local' | 'remote', handler?: CaptureVideoViewHandler): Promise<CaptureVideoViewResult> {
    const taken = new Promise<CaptureVideoViewResult>((resolve) => resolve(this.#leg.capture(side)));
    return answerHost(this.#log, 'the capture handler', taken, handler);
  }

  /**
   * Sets the listener for the quality of the connection (§4, connection quality monitoring).
   *
   * The listener runs every 3 seconds or when the quality changes, as `mode` states, and only while the call is
   * connected. A call has one listener: a new one replaces it.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `mode` or `listener`.
   */
  setConnectionQualityListener(
    mode: ConnectionQualityMonitoringMode,
    listener: (metrics: ConnectionMetrics) => void,
  ): void {
    this.#leg.stats.quality.listen(mode, listener);
  }

  /** Removes the listener for the quality of the connection. Without a listener it does nothing. */
  removeConnectionQualityListener(): void {
    this.#leg.stats.quality.remove();
  }

  #notifications(): LegNotifications {
    return {
      ringing: () => this.#policy.ringing(this),
      plain: (name) => callHost(this.#log, name, this[name], this),
      customItemsChanged: (how, keys) => {
        const name = how === 'updated' ? 'onCustomItemsUpdated' : 'onCustomItemsDeleted';
        callHost(this.#log, name, this[name], this, keys);
      },
      holdChanged: (isLocal, onHold) =>
        callHost(this.#log, 'onUserHoldStatusChanged', this.onUserHoldStatusChanged, this, isLocal, onHold),
    };
  }
}
