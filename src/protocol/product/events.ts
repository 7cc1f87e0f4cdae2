/** What the product tells of by itself, on `/ws/events`. Every area adds its own; a client leaves out what it does not know. */
import * as v from 'valibot';
import { message } from './chat.ts';
import { pushPayload } from './push.ts';
import { redemption } from './points.ts';
import { presence, time } from './values.ts';
import { identityStatus } from './verification.ts';

/** Somebody whom the product has shown to the user, and who is not apart from them by a block, came, went, or began or ended a call. */
const presenceChanged = v.object({
  type: v.literal('presence_changed'),
  u_id: v.string(),
  presence,
  last_seen_at: v.nullable(time),
});
export type PresenceChanged = v.InferOutput<typeof presenceChanged>;

/** Somebody else, or the user on another page, said something. What is unread is the user's own. */
const messageSaid = v.object({
  type: v.literal('message'),
  message,
  unread_count: v.number(),
  unread_total: v.number(),
});

/** What was said up to this `seq` has come to the other one; `read`: and was read. */
const delivered = v.object({
  type: v.literal('delivered'),
  channel_url: v.string(),
  u_id: v.string(),
  seq: v.number(),
});
const read = v.object({ ...delivered.entries, type: v.literal('read') });

/** The other one types, or no longer does. */
const typing = v.object({ type: v.literal('typing'), channel_url: v.string(), u_id: v.string(), typing: v.boolean() });

/** The user read, pinned, muted or emptied a chat, perhaps on another page. */
const channelChanged = v.object({
  type: v.literal('channel_changed'),
  channel_url: v.string(),
  unread_count: v.number(),
  unread_total: v.number(),
});

/** What would have been pushed, to somebody who has the app open. */
const pushed = v.object({ type: v.literal('push'), payload: pushPayload });
/** The reviewer is done with the identity of whoever is told. */
const verificationChanged = v.object({ type: v.literal('verification_changed'), identity: identityStatus });

/** What somebody has has changed: coins of a man, hundredths of a point of a woman. */
const walletChanged = v.object({
  type: v.literal('wallet_changed'),
  coins: v.nullable(v.number()),
  points: v.nullable(v.number()),
});

/** Somebody was given so many of a gift; `coins` is what it cost, `points` hundredths of a point that were earned by it. */
const giftReceived = v.object({
  type: v.literal('gift_received'),
  from: v.string(),
  gift_id: v.string(),
  count: v.number(),
  coins: v.number(),
  points: v.number(),
});

/**
 * What a call costs so far. He is told the coins he has left and, in the last minute he can pay, when the call will be
 * ended; she is told the hundredths of a point she earned.
 */
const callBilling = v.object({
  type: v.literal('call_billing'),
  call_id: v.string(),
  billed_minutes: v.number(),
  rate: v.number(),
  coins_left: v.nullable(v.number()),
  points_earned: v.nullable(v.number()),
  ends_at: v.nullable(time),
});

/** What a woman's points are now, in hundredths: redeemed ones were set aside, came back or were paid out. */
const pointsChanged = v.object({
  type: v.literal('points_changed'),
  available: v.number(),
  settling: v.number(),
  reviewing: v.number(),
});

/** A redemption of hers is in another state. */
const redemptionChanged = v.object({ type: v.literal('redemption_changed'), redemption });

export const productEvent = v.variant('type', [
  presenceChanged,
  messageSaid,
  delivered,
  read,
  typing,
  channelChanged,
  pushed,
  walletChanged,
  giftReceived,
  callBilling,
  verificationChanged,
  pointsChanged,
  redemptionChanged,
]);
export type ProductEvent = v.InferOutput<typeof productEvent>;
export type EventOf<Type extends ProductEvent['type']> = Extract<ProductEvent, { type: Type }>;
