import { invalidValue } from '../../protocol/errors.ts';
import { optionalText, requireObject, requireText } from '../client/checks.ts';
import type { RecordingType } from '../client/public-enumerations.ts';

/** What to record of which call, and what to call the file (§3, recording options). */
export class DirectCallRecordOption {
  readonly callId: string;
  readonly recordingType: RecordingType;
  /** Without one the file is named after recording type, call id and time. */
  readonly fileName: string | undefined;

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

/** @throws CallError 1800300 or 1800301 naming the parameter at fault; another call's id is not a value. */
export function checkRecordOption(option: DirectCallRecordOption, callId: string): DirectCallRecordOption {
  requireObject(option, 'option');
  if (requireText(option.callId, 'callId') !== callId) throw invalidValue('callId');
  requireText(option.recordingType, 'recordingType');
  optionalText(option.fileName, 'fileName');
  return option;
}
