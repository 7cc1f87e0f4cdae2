/** The events that the product sends on `/ws/events`. A client ignores unknown events. */
import * as v from 'valibot';
import { message } from './chat.ts';
import { pushPayload } from './push.ts';
import { redemption } from './points.ts';
import { presence, time } from './values.ts';
import { identityStatus } from './verification.ts';

/**
 * A user came online, went offline, or began or ended a call. Sent to users who have seen this user,
 * except across a block.
 */
const presenceChanged = v.object({
  type: v.literal('presence_changed'),
  u_id: v.string(),
  presence,
  last_seen_at: v.nullable(time),
});
export type PresenceChanged = v.InferOutput<typeof presenceChanged>;

/** A message of another user, or of the user on another page. The unread count is the user's own. */
const messageAdded = v.object({
  type: v.literal('message'),
  message,
  unread_count: v.number(),
  unread_total: v.number(),
});

/** The other user received the messages up to this `seq`. `read`: and read them. */
const delivered = v.object({
  type: v.literal('delivered'),
  channel_url: v.string(),
  u_id: v.string(),
  seq: v.number(),
});
const read = v.object({ ...delivered.entries, type: v.literal('read') });

/** The other user types, or has stopped. */
const typing = v.object({ type: v.literal('typing'), channel_url: v.string(), u_id: v.string(), typing: v.boolean() });

/** The user read, pinned, muted or emptied a chat, perhaps on another page. */
const channelChanged = v.object({
  type: v.literal('channel_changed'),
  channel_url: v.string(),
  unread_count: v.number(),
  unread_total: v.number(),
});

/** A push message to a user who has the app open. */
const pushed = v.object({ type: v.literal('push'), payload: pushPayload });
/** The reviewer has decided about the user's identity. */
const verificationChanged = v.object({ type: v.literal('verification_changed'), identity: identityStatus });

/** The balance of the user has changed: coins of a man, hundredths of a point of a woman. */
const walletChanged = v.object({
  type: v.literal('wallet_changed'),
  coins: v.nullable(v.number()),
  points: v.nullable(v.number()),
});

/**
 * A user received a gift. `count` is the number of pieces, `coins` the price, `points` the earned hundredths of a
 * point.
 */
const giftReceived = v.object({
  type: v.literal('gift_received'),
  from: v.string(),
  gift_id: v.string(),
  count: v.number(),
  coins: v.number(),
  points: v.number(),
});

/**
 * The cost of a call so far. A man gets his remaining coins and, in the last minute that he can pay, when the call will
 * end. A woman gets the hundredths of a point that she earned.
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

/** A woman's points, in hundredths, after redeemed ones were set aside, came back or were paid out. */
const pointsChanged = v.object({
  type: v.literal('points_changed'),
  available: v.number(),
  settling: v.number(),
  reviewing: v.number(),
});

/** A redemption of the woman has changed its state. */
const redemptionChanged = v.object({ type: v.literal('redemption_changed'), redemption });

export const productEvent = v.variant('type', [
  presenceChanged,
  messageAdded,
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
