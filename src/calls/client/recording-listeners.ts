import type { RecordingNews } from '../direct-call/leg-surroundings.ts';
import type { DirectCallRecordOption } from '../direct-call/record-option.ts';
import { callHost } from '../direct-call/notifications.ts';
import type { CallError } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import { ListenerList } from './listeners.ts';

/** What a host may be told about recordings of any call. Each may be absent. */
export interface SendBirdCallRecordingListener {
  /** The file is downloaded. */
  onRecordingSucceeded?:
    | ((callId: string, recordingId: string, options: DirectCallRecordOption, fileName: string) => void)
    | null
    | undefined;
  /** There is no file: 1800613 when it could not be saved, 1800615 when the recording broke off. */
  onRecordingFailed?: ((callId: string, recordingId: string, error: CallError) => void) | null | undefined;
}

/** Recording listeners under ids; the same id replaces. */
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
