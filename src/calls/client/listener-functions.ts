import type { Listeners, SendBirdCallListener } from './listeners.ts';
import type { RecordingListeners, SendBirdCallRecordingListener } from './recording-listeners.ts';

/** The functions of a host about its listeners. */
export interface ListenerFunctions {
  /**
   * Registers a listener for incoming calls, a lost session and changed devices. A listener with the same id is
   * replaced.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `id` or `listener`.
   */
  addListener(id: string | number, listener: SendBirdCallListener): void;
  /** Removes the listener with this id. An unknown id does nothing. */
  removeListener(id: string | number): void;
  /** Removes every listener that `addListener` registered. */
  removeAllListeners(): void;
  /**
   * Registers a listener for the recordings of all calls. A listener with the same id is replaced.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `id` or `listener`.
   */
  addRecordingListener(id: string | number, listener: SendBirdCallRecordingListener): void;
  /** Removes the recording listener with this id. An unknown id does nothing. */
  removeRecordingListener(id: string | number): void;
  /** Removes every listener that `addRecordingListener` registered. */
  removeAllRecordingListeners(): void;
}

/** Returns the functions about the listeners of a host. */
export const listenerFunctions = (listeners: Listeners, recordings: RecordingListeners): ListenerFunctions => ({
  addListener: (id, listener) => listeners.add(id, listener),
  removeListener: (id) => listeners.remove(id),
  removeAllListeners: () => listeners.removeAll(),
  addRecordingListener: (id, listener) => recordings.add(id, listener),
  removeRecordingListener: (id) => recordings.remove(id),
  removeAllRecordingListeners: () => recordings.removeAll(),
});
