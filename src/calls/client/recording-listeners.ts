import type { RecordingNews } from '../direct-call/leg-deps.ts';
import type { DirectCallRecordOption } from '../direct-call/record-option.ts';
import type { CallError } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import { callHost } from '../host/call-host.ts';
import { ListenerList } from '../host/listener-list.ts';

/** The functions that `addRecordingListener` registers. Each is optional. */
export interface SendBirdCallRecordingListener {
  /** Runs when the browser has downloaded the file of a recording. */
  onRecordingSucceeded?:
    | ((callId: string, recordingId: string, options: DirectCallRecordOption, fileName: string) => void)
    | null
    | undefined;
  /**
   * Runs when a recording has no file. The error is ERR_FAILED_TO_OPEN_FILE (1800613) when the file could not be saved,
   * and ERR_FAILED_TO_STOP_RECORDING (1800615) when the recorder failed.
   */
  onRecordingFailed?: ((callId: string, recordingId: string, error: CallError) => void) | null | undefined;
}

/** The recording listeners by id. A listener with the same id is replaced. */
export class RecordingListeners extends ListenerList<SendBirdCallRecordingListener> implements RecordingNews {
  readonly #log: Pick<Logger, 'error'>;

  constructor(log: Pick<Logger, 'error'>) {
    super();
    this.#log = log;
  }

  succeeded(callId: string, recordingId: string, option: DirectCallRecordOption, fileName: string): void {
    for (const listener of this.all()) {
      const tell = () => listener.onRecordingSucceeded?.(callId, recordingId, option, fileName);
      callHost(this.#log, 'onRecordingSucceeded', tell);
    }
  }

  failed(callId: string, recordingId: string, error: CallError): void {
    for (const listener of this.all()) {
      const tell = () => listener.onRecordingFailed?.(callId, recordingId, error);
      callHost(this.#log, 'onRecordingFailed', tell);
    }
  }
}
