import { all, type Evidence, raised, received, sent, told } from '../looks.ts';

/** Requirements that are refusals, and the code of each. */
const REFUSALS = {
  'HOLD-02': 1_800_801,
  'HOLD-03': 1_800_802,
  'HOLD-04': 1_800_803,
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

/** What shows the requirements of hold, recording and screen share. */
export const FEATURES: Readonly<Record<string, Evidence>> = {
  ...Object.fromEntries(Object.entries(REFUSALS).map(([id, code]) => [id, raised(code)])),
  'HOLD-01': all(sent('hold'), received('hold'), told('onUserHoldStatusChanged')),
  'REC-11': all(
    sent('recording', 'recording_status'),
    received('recording', 'recording_status'),
    told('onRemoteRecordingStatusChanged'),
  ),
};
