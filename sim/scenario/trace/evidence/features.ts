import { all, type Evidence, messages, raised, received, sent, told, type Trace, valueAt } from '../predicates.ts';

/** Requirements that are refusals, and the code of each. */
const REFUSALS = {
  'HOLD-02': 1_800_801,
  'HOLD-03': 1_800_802,
  'REC-01': 1_800_610,
  'REC-02': 1_800_611,
  'REC-03': 1_800_612,
  'REC-04': 1_800_617,
  'SS-01': 1_800_621,
  'SS-02': 1_800_620,
  'SS-03': 1_800_622,
  'SS-04': 1_800_631,
  'SS-06': 1_800_627,
  'SS-07': 1_800_628,
  'SS-08': 1_800_629,
  'SS-09': 1_800_630,
  'SS-10': 1_800_626,
  'SS-11': 1_800_623,
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
      refusal.code === 1_800_803 &&
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
  'HOLD-01': all(sent('hold'), received('hold'), told('onUserHoldStatusChanged')),
  'REC-11': all(
    sent('recording', 'recording_status'),
    received('recording', 'recording_status'),
    told('onRemoteRecordingStatusChanged'),
  ),
};
