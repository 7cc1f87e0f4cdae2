import { invalidValue } from '../../protocol/errors.ts';
import { optionalText, requireObject, requireText } from '../host/checks.ts';
import type { RecordingType } from '../host/public-enumerations.ts';

/** The options of a recording (§3, recording options). */
export class DirectCallRecordOption {
  /** The id of the call to record. */
  readonly callId: string;
  /** The tracks to record. */
  readonly recordingType: RecordingType;
  /** The name of the file. Default: made of the recording type, the call id and the time. */
  readonly fileName: string | undefined;

  /** Creates the options of a recording. `startRecording` checks them. */
  constructor({
    callId,
    recordingType,
    fileName,
  }: Pick<DirectCallRecordOption, 'callId' | 'recordingType'> & { readonly fileName?: string | undefined }) {
    this.callId = callId;
    this.recordingType = recordingType;
    this.fileName = fileName;
  }
}

/**
 * Checks the options of a recording.
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the wrong parameter, also for another
 *   call's id.
 */
export function checkRecordOption(option: DirectCallRecordOption, callId: string): DirectCallRecordOption {
  requireObject(option, 'option');
  if (requireText(option.callId, 'callId') !== callId) throw invalidValue('callId');
  requireText(option.recordingType, 'recordingType');
  optionalText(option.fileName, 'fileName');
  return option;
}
