/** The ways a call ends, as they travel on the wire (§3). Without a schema: what only names them loads no validator. */
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
