import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';

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

/** Calls a function of the host. When the function throws, logs the error and returns. */
export function callHost<Args extends unknown[]>(
  log: Pick<Logger, 'error'>,
  name: string,
  listener: ((...args: Args) => unknown) | null | undefined,
  ...args: Args
): void {
  try {
    listener?.(...args);
  } catch (error) {
    log.error(`${name} of the host threw`, { error });
  }
}

/** Converts a failure to a CallError. An unknown failure becomes ERR_REQUEST_FAILED (1800200). */
export const asCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError(ErrorCode.ERR_REQUEST_FAILED, { cause: error });

/** Passes the result of a promise to a handler too. A host that passes a handler may leave the promise unhandled. */
export function answerHost<Value>(
  log: Pick<Logger, 'error'>,
  name: string,
  work: Promise<Value>,
  handler: ((value?: Value, error?: CallError) => unknown) | null | undefined,
): Promise<Value> {
  const answer = work.catch((error: unknown) => {
    throw asCallError(error);
  });
  if (!handler) return answer;
  answer.then(
    (value) => callHost(log, name, handler, value),
    (error: CallError) => callHost(log, name, handler, undefined, error),
  );
  return answer;
}
