/** Points: what a woman has earned, when she may redeem it, and her redemptions. */
import * as v from 'valibot';
import { code, codeSent, ownerProof } from './accounts.ts';
import { endpoints } from '../endpoint.ts';
import { pageOf, pageQuery, time } from './values.ts';

/** Hundredths of a point. */
const hundredths = v.number();
/** Whole points. A point is one New Taiwan dollar. */
const dollars = v.number();

/** A day of the platform, in Taipei: `2026-11-21`. */
const day = v.string();

/** The sources of points. */
export const incomeSource = v.picklist(['voice', 'video', 'message', 'gift']);
export type IncomeSource = v.InferOutput<typeof incomeSource>;

const sourceSums = v.object({ voice: hundredths, video: hundredths, message: hundredths, gift: hundredths });
export type SourceSums = v.InferOutput<typeof sourceSums>;

/** The banks for payouts, by the codes of the Financial Information Service. */
export const BANK_CODES = [
  '004',
  '005',
  '006',
  '007',
  '008',
  '009',
  '011',
  '012',
  '013',
  '017',
  '050',
  '700',
  '805',
  '806',
  '807',
  '808',
  '809',
  '812',
  '822',
  '823',
  '824',
  '826',
] as const;
export const bankCode = v.picklist(BANK_CODES);
export type BankCode = v.InferOutput<typeof bankCode>;

/** The number of an account: only digits. */
export const accountNumber = v.pipe(v.string(), v.regex(/^\d{10,16}$/));
/** The account holder's name at the bank. */
export const holderName = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(60),
  // Letters of any script, with the marks between the parts of a name.
  v.regex(/^\p{L}[\p{L}\p{M} .'’‧·-]*\p{L}$/u),
);

/** The account for payouts. `tail` is the only part of the number that is shown. */
export const payoutAccount = v.object({
  bank_code: bankCode,
  tail: v.string(),
  holder: v.string(),
  /** Whether the holder is the verified user. Only a review decides it. */
  name_match: v.picklist(['unknown', 'matches', 'differs']),
  changed_at: time,
});
export type PayoutAccount = v.InferOutput<typeof payoutAccount>;

export const redemptionState = v.picklist(['pending', 'reviewing', 'approved', 'paid', 'rejected', 'cancelled']);
export type RedemptionState = v.InferOutput<typeof redemptionState>;

/** The reason why a redemption was rejected. Its points came back. */
export const redemptionFault = v.picklist(['name_differs', 'account_refused']);
export type RedemptionFault = v.InferOutput<typeof redemptionFault>;

/** A redemption. `net` is the amount without the fee, which is paid out. */
export const redemption = v.object({
  redemption_id: v.string(),
  amount: dollars,
  fee: dollars,
  net: dollars,
  bank_code: bankCode,
  tail: v.string(),
  state: redemptionState,
  fault: v.nullable(redemptionFault),
  created_at: time,
  /** When a state was reached. Null for a state that was not. */
  reviewing_at: v.nullable(time),
  decided_at: v.nullable(time),
  /** When it ended: paid, rejected or cancelled. */
  ended_at: v.nullable(time),
  /** When it is paid out if the review finds no fault. */
  expected_at: time,
});
export type Redemption = v.InferOutput<typeof redemption>;

/** The requirements for a redemption. `older_contact`: every contact is too new. */
const requirement = v.picklist(['identity', 'contact', 'older_contact', 'payout_account']);
export type Requirement = v.InferOutput<typeof requirement>;

const points = v.object({
  /** Points that may be redeemed. */
  available: hundredths,
  /** Points that were earned a short while ago. */
  settling: hundredths,
  /** Points in a redemption that has not ended. */
  reviewing: hundredths,
  /** When settling points become available, the soonest first. */
  settles: v.array(v.object({ at: time, points: hundredths })),
  /** Her share of the coins for calls and messages. It depends on the coins she received in the last days. */
  tier: v.object({
    percent: v.number(),
    from: v.number(),
    coins: v.number(),
    days: v.number(),
    /** Her share of gifts, in every tier. */
    gift_percent: v.number(),
    /** The next tier. Null in the highest. */
    next: v.nullable(v.object({ percent: v.number(), from: v.number() })),
  }),
  /** The points earned on each of the last thirty days, oldest first. */
  days: v.array(v.object({ day, points: hundredths })),
  redeeming: v.object({
    least: dollars,
    step: dollars,
    fee: dollars,
    daily_most: dollars,
    /** The rest of `daily_most` for today. */
    left_today: dollars,
    missing: v.array(requirement),
    /** The contact that gets the code that confirms a redemption, masked. Null when no contact may. */
    contact: v.nullable(v.string()),
    /** When a contact may confirm, if each is too new. */
    contact_from: v.nullable(time),
    /** The redemption that has not ended. There is at most one. */
    open: v.nullable(redemption),
    account: v.nullable(payoutAccount),
  }),
});
export type Points = v.InferOutput<typeof points>;

const supporter = v.object({ u_id: v.string(), nickname: v.string(), profile_url: v.string() });

/** The income of one group. `key` is the day, the source, or the user id. */
const incomeItem = v.object({
  key: v.string(),
  points: hundredths,
  sources: sourceSums,
  /** The user who paid, in groups by user. */
  supporter: v.nullable(supporter),
});
export type IncomeItem = v.InferOutput<typeof incomeItem>;

export const income = v.object({ total: hundredths, sources: sourceSums, items: v.array(incomeItem) });
export type Income = v.InferOutput<typeof income>;

const timeText = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));

export const pointEndpoints = endpoints({
  points: {
    method: 'GET',
    path: '/points',
    access: 'woman',
    about: 'Returns the points of the woman, their states, and what redeeming needs.',
    answer: points,
  },
  income: {
    method: 'GET',
    path: '/income',
    access: 'woman',
    about:
      'Lists the income of the woman between two days, at most 366 days apart, by day, source or user (the first 50).',
    query: v.strictObject({ from: timeText, to: timeText, group: v.picklist(['day', 'source', 'user']) }),
    answer: income,
  },
  payoutAccount: {
    method: 'GET',
    path: '/me/payout-account',
    access: 'woman',
    about: 'Returns the payout account of the woman, with its number masked.',
    answer: v.object({ account: v.nullable(payoutAccount) }),
  },
  setPayoutAccount: {
    method: 'PUT',
    path: '/me/payout-account',
    access: 'woman',
    about: 'Sets the account to which later redemptions are paid. Her contacts get a security notice.',
    body: v.strictObject({ bank_code: bankCode, account_number: accountNumber, holder: holderName, proof: ownerProof }),
    answer: v.object({ account: v.nullable(payoutAccount) }),
  },
  sendRedeemCode: {
    method: 'POST',
    path: '/redemptions/code',
    access: 'woman',
    about:
      'Sends the code that confirms a redemption to a phone or e-mail that she registered with, or verified three days ago.',
    answer: codeSent,
  },
  redeem: {
    method: 'POST',
    path: '/redemptions',
    access: 'woman',
    about:
      'Requests a payout of points to the account that the screen showed, confirmed by a code. The points are set aside until it ends.',
    isIdempotent: true,
    body: v.strictObject({
      code,
      amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      /** The account that the screen showed to her. The payout goes only to this account. */
      account: v.pick(payoutAccount, ['bank_code', 'tail', 'changed_at']),
    }),
    answer: redemption,
  },
  redemptions: {
    method: 'GET',
    path: '/redemptions',
    access: 'woman',
    about: 'Lists the redemptions of the woman, the latest first.',
    query: v.strictObject(pageQuery),
    answer: pageOf(redemption),
  },
  cancelRedemption: {
    method: 'POST',
    path: '/redemptions/{redemption_id}/cancel',
    access: 'woman',
    about: 'Cancels a redemption before its review starts, and returns its points.',
    answer: redemption,
  },
});
