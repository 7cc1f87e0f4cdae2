/** Coins: the balance of a man, his deposits, and the movements. */
import * as v from 'valibot';
import { callKind } from './calls.ts';
import { endpoints } from '../endpoint.ts';
import { pageOf, pageQuery, time } from './values.ts';

/** The kinds of movements of money. */
export const entryKind = v.picklist([
  'gift',
  'voice',
  'video',
  'message',
  'deposit',
  'bonus',
  'refund',
  'redeem',
  /** Earned points become redeemable. */
  'settlement',
  /** Coins are held for the first minute of a call, or released. */
  'hold',
]);
export type EntryKind = v.InferOutput<typeof entryKind>;

/** The filters of a list of movements. */
export const TRANSACTION_TYPES = [
  'all',
  'gift',
  'voice',
  'video',
  'message',
  'deposit',
  'bonus',
  'refund',
  'redeem',
] as const satisfies readonly ('all' | EntryKind)[];
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** A pack of coins for New Taiwan dollars. `bonus` are additional coins. */
export const pack = v.object({
  pack_id: v.string(),
  price: v.number(),
  coins: v.number(),
  bonus: v.number(),
  is_best: v.boolean(),
});
export type Pack = v.InferOutput<typeof pack>;

export const depositMethod = v.picklist(['card', 'convenience_store', 'line_pay']);
export type DepositMethod = v.InferOutput<typeof depositMethod>;

export const depositStatus = v.picklist(['processing', 'pending', 'paid', 'failed', 'expired']);
export type DepositStatus = v.InferOutput<typeof depositStatus>;

/** The reason why a payment failed. */
export const depositFailure = v.picklist(['declined', 'insufficient_funds', 'expired_card', 'timed_out', 'canceled']);
export type DepositFailure = v.InferOutput<typeof depositFailure>;

/**
 * A deposit. `pay_code` is the code for a convenience store, valid until `expires_at`. Null for other payment methods.
 */
export const deposit = v.object({
  deposit_id: v.string(),
  order_no: v.string(),
  pack_id: v.string(),
  price: v.number(),
  coins: v.number(),
  bonus: v.number(),
  method: depositMethod,
  status: depositStatus,
  failure: v.nullable(depositFailure),
  pay_code: v.nullable(v.string()),
  invoice: v.nullable(v.string()),
  created_at: time,
  expires_at: time,
  settled_at: v.nullable(time),
});
export type Deposit = v.InferOutput<typeof deposit>;

/** `limit` and `spent` are New Taiwan dollars of this month. `next_limit` holds from `next_limit_at` on. */
export const wallet = v.object({
  coins: v.number(),
  held: v.number(),
  limit: v.number(),
  spent: v.number(),
  next_limit: v.nullable(v.number()),
  next_limit_at: v.nullable(time),
  is_first_deposit: v.boolean(),
});
export type Wallet = v.InferOutput<typeof wallet>;

/** The other user of a movement or a charge. */
const companion = v.object({ u_id: v.string(), nickname: v.string(), profile_url: v.string() });

/**
 * A movement as its owner sees it: coins of a man, hundredths of a point of a woman. `balance_after` is the balance of
 * all of them after it.
 */
export const transaction = v.object({
  id: v.string(),
  type: entryKind,
  delta: v.number(),
  balance_after: v.number(),
  at: time,
  with: v.nullable(companion),
  gift_id: v.nullable(v.string()),
  count: v.nullable(v.number()),
  minute: v.nullable(v.number()),
  call_id: v.nullable(v.string()),
  deposit_id: v.nullable(v.string()),
});
export type TransactionEntry = v.InferOutput<typeof transaction>;

/**
 * The cost of a call, or of one day's messages in one chat. `amount` is coins of a man, hundredths of a point of a
 * woman. `minutes` are the charged minutes.
 */
export const chargeSession = v.object({
  session_id: v.string(),
  kind: v.picklist([...callKind.options, 'message']),
  with: v.nullable(companion),
  started_at: time,
  /** Milliseconds. Null for messages and for a live call. */
  duration: v.nullable(v.number()),
  /** Coins for a minute, or for a message. */
  rate: v.nullable(v.number()),
  count: v.number(),
  amount: v.number(),
  end_result: v.nullable(v.string()),
});
export type ChargeSession = v.InferOutput<typeof chargeSession>;

const day = v.optional(v.pipe(v.string(), v.isoDate()));

export const walletEndpoints = endpoints({
  wallet: {
    method: 'GET',
    path: '/wallet',
    access: 'man',
    about: 'Returns the coins of the user, and the rest of the monthly limit for buying coins.',
    answer: wallet,
  },
  setDepositLimit: {
    method: 'PUT',
    path: '/wallet/limit',
    access: 'man',
    about: 'Sets the monthly limit for buying coins. A lower limit holds at once, a higher one after a day.',
    body: v.strictObject({ limit: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
    answer: wallet,
  },
  depositPacks: {
    method: 'GET',
    path: '/deposit/packs',
    access: 'man',
    about: 'Lists the packs of coins.',
    /** The first deposit gets `first_bonus_percent` more coins. A sandbox takes no real money. */
    answer: v.object({ packs: v.array(pack), first_bonus_percent: v.number(), is_sandbox: v.boolean() }),
  },
  deposit: {
    method: 'POST',
    path: '/deposits',
    access: 'man',
    about: 'Buys coins.',
    body: v.strictObject({
      pack_id: v.pipe(v.string(), v.maxLength(64)),
      method: depositMethod,
      /** The number of a card: only digits. The server passes it to the payment provider and does not store it. */
      card_number: v.optional(v.pipe(v.string(), v.regex(/^\d{12,19}$/))),
      /** A uniform invoice number or a carrier, for the invoice. */
      invoice: v.optional(v.pipe(v.string(), v.regex(/^(?:\d{8}|\/[0-9A-Z.+-]{7})$/))),
    }),
    answer: deposit,
    isIdempotent: true,
  },
  deposits: {
    method: 'GET',
    path: '/deposits',
    access: 'man',
    about: 'Lists the deposits of the user, newest first.',
    query: v.strictObject({
      ...pageQuery,
      status: v.optional(depositStatus),
      month: v.optional(v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/))),
    }),
    answer: pageOf(deposit),
  },
  depositOf: {
    method: 'GET',
    path: '/deposits/{deposit_id}',
    access: 'man',
    about: 'One deposit.',
    answer: deposit,
  },
  paySandbox: {
    method: 'POST',
    path: '/sandbox/deposits/{deposit_id}/pay',
    access: 'man',
    about: 'Pays or cancels a pending deposit, as a store or another app would. Only without real money.',
    body: v.strictObject({ outcome: v.picklist(['paid', 'canceled']) }),
    answer: deposit,
  },
  transactions: {
    method: 'GET',
    path: '/transactions',
    access: 'user',
    about: 'Lists movements of money, newest first. Days are those of Taipei, both included.',
    query: v.strictObject({
      ...pageQuery,
      type: v.optional(v.pipe(v.string(), v.maxLength(40)), 'all'),
      from: day,
      to: day,
    }),
    answer: pageOf(transaction),
  },
  chargeSessions: {
    method: 'GET',
    path: '/transactions/sessions',
    access: 'user',
    about: 'Charges by call, and by day and chat, newest first.',
    query: v.strictObject(pageQuery),
    answer: pageOf(chargeSession),
  },
  chargeSession: {
    method: 'GET',
    path: '/transactions/sessions/{session_id}',
    access: 'user',
    about: 'Returns one charge, with each charged minute.',
    answer: v.object({
      session: chargeSession,
      minutes: v.array(v.object({ minute: v.number(), at: time, amount: v.number(), is_refunded: v.boolean() })),
    }),
  },
});
