import { CallError } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';

/** What a call tells its host; the names are those of the listener properties of a DirectCall. */
export interface CallNotifications<Call> {
  onEstablished: (call: Call) => void;
  onConnected: (call: Call) => void;
  onReconnecting: (call: Call) => void;
  onReconnected: (call: Call) => void;
  onEnded: (call: Call) => void;
  onRemoteAudioSettingsChanged: (call: Call) => void;
  onRemoteVideoSettingsChanged: (call: Call) => void;
  onCustomItemsUpdated: (call: Call, keys: string[]) => void;
  onCustomItemsDeleted: (call: Call, keys: string[]) => void;
  onRemoteRecordingStatusChanged: (call: Call) => void;
  onUserHoldStatusChanged: (call: Call, isLocalUser: boolean, isUserOnHold: boolean) => void;
  onScreenShareStopped: (call: Call) => void;
  onLocalDeviceMissing: (call: Call) => void;
  onCalleeDialReceived: (call: Call) => void;
}

/** Calls a host's function; what it throws is logged and goes no further. */
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

/** A failure as hosts receive it; what is no error of the catalogue is 1800200. */
export const asCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError(1800200, { cause: error });

/** Gives what is answered to a host's handler too. A host that passes one may leave the promise alone. */
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
