/** The notifications of a call. Their names are those of the `on…` properties of a DirectCall. */
export interface CallNotifications<Call> {
  /** Runs when the callee has accepted. Media does not flow yet. */
  onEstablished: (call: Call) => void;
  /** Runs when media flows for the first time. */
  onConnected: (call: Call) => void;
  /** Runs when media is lost. The call ends as `connection_lost` unless media flows again within 30 seconds. */
  onReconnecting: (call: Call) => void;
  /** Runs when media flows again. */
  onReconnected: (call: Call) => void;
  /** Runs once, when the call has ended. `endResult` states how. */
  onEnded: (call: Call) => void;
  /** Runs when the remote user mutes or unmutes the microphone. `isRemoteAudioEnabled` has the state. */
  onRemoteAudioSettingsChanged: (call: Call) => void;
  /** Runs when the remote user starts or stops video. `isRemoteVideoEnabled` has the state. */
  onRemoteVideoSettingsChanged: (call: Call) => void;
  /** Runs when a user or a server has added or changed custom items. Gets their keys. */
  onCustomItemsUpdated: (call: Call, keys: string[]) => void;
  /** Runs when a user or a server has deleted custom items. Gets their keys. */
  onCustomItemsDeleted: (call: Call, keys: string[]) => void;
  /** Runs when the remote user starts or stops a recording. `remoteRecordingStatus` has the state. */
  onRemoteRecordingStatusChanged: (call: Call) => void;
  /**
   * Runs when a user holds or resumes the call. Gets whether it was the local user, and whether that user holds the
   * call.
   */
  onUserHoldStatusChanged: (call: Call, isLocalUser: boolean, isUserOnHold: boolean) => void;
  /** Runs when the local screen share has stopped, by `stopScreenShare` or by the browser's own control. */
  onScreenShareStopped: (call: Call) => void;
  /**
   * Runs when a local microphone or camera becomes unavailable or available. `missingDevices` lists the unavailable
   * ones.
   */
  onLocalDeviceMissing: (call: Call) => void;
  /** Runs when a device of the callee has received the dial. */
  onCalleeDialReceived: (call: Call) => void;
}

/** The name of a notification that carries nothing but its call. */
export type PlainNotification = Exclude<
  keyof CallNotifications<unknown>,
  'onCustomItemsUpdated' | 'onCustomItemsDeleted' | 'onUserHoldStatusChanged'
>;
