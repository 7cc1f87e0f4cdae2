/**
 * The webhook bodies that the exchange posts to the url of a dial (PAY-01), as JSON: one body for each event, in order.
 *
 * Each body names its call and has a `payload`. The payload of `dial` is the incoming dial of the realtime channel, so
 * a callee without a channel can process the body. Its short-lived token is valid for the first device of the callee
 * that uses it. Its relay credential is empty: the reply to the accept has one.
 */
import * as v from 'valibot';
import { callId, constraints, userId } from './entities.ts';
import { PROTOCOL_VERSION } from './limits.ts';
import { EVENTS } from './messages/events.ts';

const head = {
  version: v.literal(PROTOCOL_VERSION),
  /** The application of the call. */
  app_id: v.string(),
  /** The id of this event. */
  event_id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  call_id: callId,
  /** When the event happened, milliseconds since the epoch. */
  occurred_at: v.number(),
};

/** The events by name. `enabled_events` selects among them. Default: all. */
export const webhookBody = v.variant('event', [
  /** The call rings. */
  v.object({ ...head, event: v.literal('dial'), payload: EVENTS.CALL.dial }),
  /** A device of the callee accepted. */
  v.object({
    ...head,
    event: v.literal('accept'),
    payload: v.object({ call_id: callId, accepted_by: userId, constraints }),
  }),
  /** Both sides have media. `started_at` is milliseconds since the epoch. */
  v.object({
    ...head,
    event: v.literal('establish'),
    payload: v.object({ call_id: callId, started_at: v.number() }),
  }),
  /** The call has ended, with any result. */
  v.object({ ...head, event: v.literal('end'), payload: EVENTS.CALL.end }),
]);
export type WebhookBody = v.InferOutput<typeof webhookBody>;
