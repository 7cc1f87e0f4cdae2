import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { all, type Evidence, messages, raised, received, sent, notified, type Trace, valueAt } from '../predicates.ts';

/** Requirements that are refusals, and the code of each. */
const REFUSALS = {
  'HOLD-02': ErrorCode.ERR_CALL_ALREADY_ON_HOLD,
  'HOLD-03': ErrorCode.ERR_ACTIVE_CALL_IN_PROGRESS,
  'REC-01': ErrorCode.ERR_CALL_NOT_CONNECTED_YET,
  'REC-02': ErrorCode.ERR_WRONG_RECORDING_TYPE_FOR_AUDIO_CALL,
  'REC-03': ErrorCode.ERR_RECORDING_ALREADY_IN_PROGRESS,
  'REC-04': ErrorCode.ERR_INVALID_RECORDING_TYPE,
  'SS-01': ErrorCode.ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED,
  'SS-02': ErrorCode.ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL,
  'SS-03': ErrorCode.ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS,
  'SS-04': ErrorCode.ERR_MEDIA_STREAM_NOT_ALLOWED_ON_HOLD,
  'SS-06': ErrorCode.ERR_NOT_SUPPORTED_APP_STATE_FOR_SCREEN_SHARE,
  'SS-07': ErrorCode.ERR_PERMISSION_DENIED_FOR_SCREEN_SHARE,
  'SS-08': ErrorCode.ERR_SELECTED_CONTENT_NOT_EXIST,
  'SS-09': ErrorCode.ERR_SELECTED_CONTENT_INACCESSIBLE,
  'SS-10': ErrorCode.ERR_SCREEN_SHARE_FAILED_DUE_TO_UNKNOWN_REASON,
  'SS-11': ErrorCode.ERR_NO_SCREEN_SHARE_EXISTS,
} as const;

/** The hold requests of a device: [call id, held]. */
const holds = (trace: Trace, device: string) =>
  messages(trace, 'up', 'hold')
    .filter((message) => message.device === device)
    .map(({ at, payload }) => ({ at, callId: valueAt(payload, 'call_id'), isOnHold: valueAt(payload, 'is_on_hold') }));

/**
 * A device was refused to unhold a call while another call was active there. Then it ended that one, and unheld the
 * call.
 */
const unholdAgainstActive: Evidence = (trace) =>
  trace.some(
    (refusal, index) =>
      refusal.kind === 'error' &&
      refusal.code === ErrorCode.ERR_ANOTHER_CALL_IN_PROGRESS &&
      holds(trace.slice(0, index), refusal.device).some(
        ({ callId, isOnHold }) =>
          isOnHold === true &&
          holds(trace.slice(index), refusal.device).some(
            (back) =>
              back.callId === callId &&
              back.isOnHold === false &&
              messages(trace.slice(index), 'up', 'end').some(
                ({ device, at, payload }) =>
                  device === refusal.device && at <= back.at && valueAt(payload, 'call_id') !== callId,
              ),
          ),
      ),
  );

/** The evidence for the requirements of hold, recording and screen share. */
export const FEATURES: Readonly<Record<string, Evidence>> = {
  ...Object.fromEntries(Object.entries(REFUSALS).map(([id, code]) => [id, raised(code)])),
  'HOLD-04': unholdAgainstActive,
  'HOLD-01': all(sent('hold'), received('hold'), notified('onUserHoldStatusChanged')),
  'REC-11': all(
    sent('recording', 'recording_status'),
    received('recording', 'recording_status'),
    notified('onRemoteRecordingStatusChanged'),
  ),
};
