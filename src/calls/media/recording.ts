import type { RecordingStatus, RecordingType } from '../../protocol/enumerations.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock } from '../../common/clock.ts';
import type { RecorderPort, RunningRecorder } from '../platform/recorder.ts';
import { noRecordingCode, recordingFileName, recordingFormat } from './recording-file.ts';
import {
  hasLostPicture,
  isRecordingType,
  recordedAudio,
  recordedTracks,
  recordsVideo,
  type SideTracks,
} from './recording-tracks.ts';

/** A checked request for a recording. */
export interface RecordingWish {
  readonly recordingType: string;
  readonly fileName: string | undefined;
}

export interface CallRecordingOptions<Wish extends RecordingWish> {
  readonly recorder: RecorderPort;
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly newId: () => string;
  readonly userAgent: string;
  readonly call: {
    readonly isVideoCall: boolean;
    callId(): string;
    isConnected(): boolean;
  };
  /** The tracks that each side sends now. */
  readonly tracks: { local(): SideTracks; remote(): SideTracks };
  /** Reports the status to the other side. Not used when the call closes. */
  readonly tell: (recordingId: string, type: RecordingType, status: RecordingStatus) => void;
  /** Runs when the file was saved. */
  readonly succeeded: (recordingId: string, wish: Wish, fileName: string) => void;
  readonly failed: (recordingId: string, error: CallError) => void;
  readonly log: Pick<Logger, 'warning'>;
}

interface Running {
  readonly id: string;
  readonly type: RecordingType;
  readonly recorder: RunningRecorder;
  /** The recorded picture. Null for sound alone. */
  readonly picture: MediaStreamTrack | null;
}

/**
 * The recordings of one call, one at a time. A recording has the sound of its sides at each moment, and the picture
 * that was sent when it began. A camera or a screen that is used later is not in it. It ends when it is stopped, when
 * its picture has ended, or when the call closes. In each case the file is saved (D29, ADR 0024).
 */
export class CallRecording<Wish extends RecordingWish> {
  readonly #options: CallRecordingOptions<Wish>;
  #running: Running | null = null;

  constructor(options: CallRecordingOptions<Wish>) {
    this.#options = options;
  }

  get status(): RecordingStatus {
    return this.#running ? 'recording' : 'none';
  }

  /**
   * Starts a recording and notifies the other side. Returns the recording's id.
   *
   * @throws CallError, in this order: `ERR_CALL_NOT_CONNECTED_YET` unless connected.
   *   `ERR_WRONG_RECORDING_TYPE_FOR_AUDIO_CALL` for video in a voice call. `ERR_INVALID_RECORDING_TYPE` for an unknown
   *   type. `ERR_RECORDING_ALREADY_IN_PROGRESS` while recording. `ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING` when the
   *   operating system is too old. `ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING` when the browser cannot record.
   *   `ERR_FAILED_TO_START_RECORDING` when it does not start.
   */
  start(wish: Wish): string {
    const { call, clock, newId, recorder, userAgent } = this.#options;
    const type = wish.recordingType;
    if (!call.isConnected()) throw new CallError(ErrorCode.ERR_CALL_NOT_CONNECTED_YET);
    if (isRecordingType(type) && recordsVideo(type) && !call.isVideoCall)
      throw new CallError(ErrorCode.ERR_WRONG_RECORDING_TYPE_FOR_AUDIO_CALL);
    if (!isRecordingType(type)) throw new CallError(ErrorCode.ERR_INVALID_RECORDING_TYPE);
    if (this.#running) throw new CallError(ErrorCode.ERR_RECORDING_ALREADY_IN_PROGRESS);
    const format = recordingFormat(recordsVideo(type) ? 'video' : 'audio', { recorder, userAgent });
    if (!format) throw new CallError(noRecordingCode(userAgent));
    const running = { id: newId(), type, ...this.#record(type, format.mimeType) };
    const fileName = recordingFileName(wish.fileName, {
      type,
      callId: call.callId(),
      timestamp: clock.wallTime(),
      extension: format.extension,
    });
    this.#running = running;
    this.#options.tell(running.id, type, 'recording');
    running.recorder.data.then(
      (data) => this.#save(running, wish, fileName, data),
      (cause: unknown) => this.#failed(running, new CallError(ErrorCode.ERR_FAILED_TO_STOP_RECORDING, { cause })),
    );
    return running.id;
  }

  /** Stops a recording, and saves its file later. Returns whether this recording was running. */
  stop(recordingId: string): boolean {
    const running = this.#running;
    if (running?.id !== recordingId) return false;
    this.#end(running);
    running.recorder.stop();
    return true;
  }

  /**
   * Continues with the sounds that are sent and received now. Ends a recording whose picture has ended. Never throws:
   * the call continues when the browser cannot mix a sound (Firefox: one of another sample rate).
   */
  follow(): void {
    const running = this.#running;
    if (!running) return;
    const { type, picture } = running;
    const { tracks, log } = this.#options;
    if (picture && hasLostPicture(type, picture, tracks)) {
      log.warning('the picture that was recorded has ended, and the recording with it');
      this.stop(running.id);
      return;
    }
    try {
      running.recorder.useAudio(recordedAudio(type, tracks));
    } catch (error) {
      log.warning('the recording cannot continue with another sound', { error });
    }
  }

  /** Saves the recording when the call closes. The other side gets no report: the call is over. */
  close(): void {
    const running = this.#running;
    this.#running = null;
    running?.recorder.stop();
  }

  #record(type: RecordingType, mimeType: string): Pick<Running, 'recorder' | 'picture'> {
    const tracks = recordedTracks(type, this.#options.tracks);
    if (!tracks) throw new CallError(ErrorCode.ERR_FAILED_TO_START_RECORDING);
    try {
      return { recorder: this.#options.recorder.start(tracks, mimeType), picture: tracks.video };
    } catch (cause) {
      throw new CallError(ErrorCode.ERR_FAILED_TO_START_RECORDING, { cause });
    }
  }

  #save(running: Running, wish: Wish, fileName: string, data: Blob): void {
    this.#end(running);
    try {
      this.#options.recorder.save(fileName, data);
    } catch (cause) {
      this.#options.failed(running.id, new CallError(ErrorCode.ERR_FAILED_TO_OPEN_FILE, { cause }));
      return;
    }
    this.#options.succeeded(running.id, wish, fileName);
  }

  #failed(running: Running, error: CallError): void {
    this.#end(running);
    this.#options.failed(running.id, error);
  }

  /** Ends the recording and informs the remote client. A second call does nothing. */
  #end(running: Running): void {
    if (this.#running !== running) return;
    this.#running = null;
    this.#options.tell(running.id, running.type, 'none');
  }
}
