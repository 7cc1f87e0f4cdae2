/** Points: what a woman has earned, when it may be redeemed, and what came of redeeming it. */
import * as v from 'valibot';
import { code, codeSent, ownerProof } from './accounts.ts';
import { endpoints } from './endpoint.ts';
import { pageOf, pageQuery, time } from './values.ts';

/** Hundredths of a point. */
const hundredths = v.number();
/** Whole points, of which each is one New Taiwan dollar. */
const dollars = v.number();

/** A day of the platform, in Taipei: `2026-11-21`. */
const day = v.string();

/** What points are earned by. */
export const incomeSource = v.picklist(['voice', 'video', 'message', 'gift']);
export type IncomeSource = v.InferOutput<typeof incomeSource>;

const sourceSums = v.object({ voice: hundredths, video: hundredths, message: hundredths, gift: hundredths });
export type SourceSums = v.InferOutput<typeof sourceSums>;

/** The banks that points are paid out to, by the codes of the Financial Information Service. */
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

/** Digits alone. */
export const accountNumber = v.pipe(v.string(), v.regex(/^\d{10,16}$/));
/** As the bank knows the holder. */
export const holderName = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(60),
  // Letters of any writing, with the marks that stand between the parts of a name.
  v.regex(/^\p{L}[\p{L}\p{M} .'’‧·-]*\p{L}$/u),
);

/** Where points are paid out to. `tail` is all that is told of the number. */
export const payoutAccount = v.object({
  bank_code: bankCode,
  tail: v.string(),
  holder: v.string(),
  /** Whether the holder is whom the identity says: only a review tells. */
  name_match: v.picklist(['unknown', 'matches', 'differs']),
  changed_at: time,
});
export type PayoutAccount = v.InferOutput<typeof payoutAccount>;

export const redemptionState = v.picklist(['pending', 'reviewing', 'approved', 'paid', 'rejected', 'cancelled']);
export type RedemptionState = v.InferOutput<typeof redemptionState>;

/** Why a redemption was rejected: its points came back. */
export const redemptionFault = v.picklist(['name_differs', 'account_refused']);
export type RedemptionFault = v.InferOutput<typeof redemptionFault>;

/** `net` is what is paid out: the amount without the fee. */
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
  /** When a state was reached; null for one that was not. */
  reviewing_at: v.nullable(time),
  decided_at: v.nullable(time),
  /** When it came to its end: paid, rejected or cancelled. */
  ended_at: v.nullable(time),
  /** When it is paid out if nothing is wrong with it. */
  expected_at: time,
});
export type Redemption = v.InferOutput<typeof redemption>;

/** What has to be there before points are redeemed: `older_contact` where each that is there is too new. */
const requirement = v.picklist(['identity', 'contact', 'older_contact', 'payout_account']);
export type Requirement = v.InferOutput<typeof requirement>;

const points = v.object({
  /** May be redeemed. */
  available: hundredths,
  /** Earned a short while ago. */
  settling: hundredths,
  /** In a redemption that has not come to its end. */
  reviewing: hundredths,
  /** When what settles becomes available, the soonest first. */
  settles: v.array(v.object({ at: time, points: hundredths })),
  /** Her share of the coins of calls and messages, by the coins she was given in the last days. */
  tier: v.object({
    percent: v.number(),
    from: v.number(),
    coins: v.number(),
    days: v.number(),
    /** Her share of gifts, whatever the tier. */
    gift_percent: v.number(),
    /** Null on the highest. */
    next: v.nullable(v.object({ percent: v.number(), from: v.number() })),
  }),
  /** What was earned on each of the last thirty days, the oldest first. */
  days: v.array(v.object({ day, points: hundredths })),
  redeeming: v.object({
    least: dollars,
    step: dollars,
    fee: dollars,
    daily_most: dollars,
    /** What of `daily_most` is left today. */
    left_today: dollars,
    missing: v.array(requirement),
    /** Where the code goes to that confirms a redemption, masked; null where no contact confirms any. */
    contact: v.nullable(v.string()),
    /** From when one does, where each is too new. */
    contact_from: v.nullable(time),
    /** The one that has not come to its end: there is no second one before. */
    open: v.nullable(redemption),
    account: v.nullable(payoutAccount),
  }),
});
export type Points = v.InferOutput<typeof points>;

const supporter = v.object({ u_id: v.string(), nickname: v.string(), profile_url: v.string() });

/** What came in by one group: `key` is the day, the source, or the user id. */
const incomeItem = v.object({
  key: v.string(),
  points: hundredths,
  sources: sourceSums,
  /** Who it came from, of those by user. */
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
    about: 'What she has, what becomes of it, and how redeeming stands.',
    answer: points,
  },
  income: {
    method: 'GET',
    path: '/income',
    access: 'woman',
    about: 'What she earned from `from` up to `to`, at most 366 days, by day, source or user; of users, the first 50.',
    query: v.strictObject({ from: timeText, to: timeText, group: v.picklist(['day', 'source', 'user']) }),
    answer: income,
  },
  payoutAccount: {
    method: 'GET',
    path: '/me/payout-account',
    access: 'woman',
    about: 'Where her points are paid out to, its number masked.',
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
      'Sends the code that confirms a redemption to her phone, or to her e-mail: to one that she registered with, or verified three days ago.',
    answer: codeSent,
  },
  redeem: {
    method: 'POST',
    path: '/redemptions',
    access: 'woman',
    about:
      'Asks for points to be paid out to the account that she saw, confirmed by the code that was sent for it. They are set aside until it comes to its end.',
    isIdempotent: true,
    body: v.strictObject({
      code,
      amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      /** Where she was shown that it goes to: it goes nowhere else. */
      account: v.pick(payoutAccount, ['bank_code', 'tail', 'changed_at']),
    }),
    answer: redemption,
  },
  redemptions: {
    method: 'GET',
    path: '/redemptions',
    access: 'woman',
    about: 'Her redemptions, the latest first.',
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
