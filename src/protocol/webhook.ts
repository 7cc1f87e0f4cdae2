/**
 * What the exchange posts to the url that dial named (PAY-01), as JSON: one body an event, in the order they happened.
 *
 * Each body says which call it is about and, in `payload`, what happened. The payload of `dial` is the incoming dial as a
 * device of the callee gets it on the realtime channel, so a callee without a channel can be fed the body. Its short-lived
 * token is good for one device of the callee, whichever uses it first. Its relay credential is empty: the reply to the accept has one.
 */
import * as v from 'valibot';
import { callId, constraints, userId } from './entities.ts';
import { PROTOCOL_VERSION } from './limits.ts';
import { EVENTS } from './messages/events.ts';

const head = {
  version: v.literal(PROTOCOL_VERSION),
  /** The application the call belongs to. */
  app_id: v.string(),
  /** This event's own id. */
  event_id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  call_id: callId,
  /** When it happened, milliseconds since the epoch. */
  occurred_at: v.number(),
};

/** The events by name; `enabled_events` chooses among them, all are sent where it is missing. */
export const webhookBody = v.variant('event', [
  /** The call rings. */
  v.object({ ...head, event: v.literal('dial'), payload: EVENTS.CALL.dial }),
  /** A device of the callee took it. */
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
