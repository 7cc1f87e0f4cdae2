/** The results of a call, as on the wire (§3). This file has no schema, so that its importers load no validator. */
export const END_RESULTS = [
  'no_answer',
  'canceled',
  'declined',
  'other_device_accepted',
  'completed',
  'connection_lost',
  'timed_out',
  'dial_failed',
  'accept_failed',
  'not_connected',
  'unknown',
] as const;
/** The result of a call, as on the wire (§3). */
export type EndResult = (typeof END_RESULTS)[number];
