/** The rules of the platform: prices, shares, limits and durations. */
import type { Gift } from '../../src/protocol/product/gifts.ts';
import type { Pack } from '../../src/protocol/product/wallet.ts';
import type { PriceTier } from '../../src/protocol/product/accounts.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The calendar of the platform: a month begins when it begins in Taipei. Milliseconds ahead of UTC. */
export const TAIPEI_OFFSET_MS = 8 * HOUR_MS;

export const CALL_RULES = {
  /** The start of a call is free. */
  freeMs: 10 * SECOND_MS,
  minuteMs: 60 * SECOND_MS,
  /** The part of each hold that is billed. */
  holdMs: 30 * SECOND_MS,
  /** How long a call goes on that can no longer be paid. */
  graceMs: 30 * SECOND_MS,
  /** How many calls of one pair and day have their last minute refunded after a lost connection. */
  refundsADay: 2,
} as const;

/** The prices of messages in coins. */
export const MESSAGE_RULES = {
  text: 2,
  photo: 5,
  voice: 5,
  /** The first messages of a man in each chat are free. */
  free: 10,
} as const;

/** The shares of women in percent, by the coins of the last 30 days. The highest tier that fits holds. */
export const SHARE_RULES = {
  tiers: [
    { from: 0, percent: 40 },
    { from: 10_000, percent: 45 },
    { from: 50_000, percent: 50 },
  ],
  tierDays: 30,
  giftPercent: 50,
  /** Hundredths of a point that a coin is worth before the share. */
  pointsPerCoin: 100,
  /** Earned points may be redeemed after this time. */
  settleMs: DAY_MS,
} as const;

/** The rules of redemptions in whole points. A point is one New Taiwan dollar. */
export const REDEMPTION_RULES = {
  least: 1_000,
  step: 100,
  dailyMost: 50_000,
  /** Subtracted from the payment. */
  fee: 15,
} as const;

/**
 * The retention of rows that are neither books nor a part of an account. Sessions, letters and devices have their own.
 */
export const RETENTION_RULES = {
  codesMs: DAY_MS,
  receiptsMs: 2 * DAY_MS,
  identityTriesMs: 30 * DAY_MS,
  /** Calls in the history, with their summaries. */
  callsMs: 365 * DAY_MS,
  reportsMs: 2 * 365 * DAY_MS,
} as const;

export const CONTACT_RULES = {
  /** A new contact confirms payments only after this time, in which the owner can notice a foreign change. */
  coolOffMs: 3 * DAY_MS,
} as const;

/**
 * Coins that a man gets at the start, on a normal server and in demo mode. Free coins earn no points and are spent last
 * (ADR 0022). Those of the demo count as bought.
 */
export const BONUS_RULES = { welcome: 100, demo: 3_000 } as const;

export const DEPOSIT_RULES = {
  /** The monthly limit in New Taiwan dollars. A user may set a lower one. */
  monthlyLimit: 20_000,
  /** A higher limit takes effect only after this time. */
  coolOffMs: DAY_MS,
  /** How long the code of a convenience store can be paid. */
  codeMs: 72 * HOUR_MS,
  /** How long a request waits for the provider. Then the payment is in progress, and the server asks about it later. */
  answerMs: 15 * SECOND_MS,
  /** How often the server asks the provider about open payments. */
  lookMs: 30 * SECOND_MS,
  /** How often the server asks about payments that were given up, since a store may report one late. */
  lateLookMs: HOUR_MS,
  /** The server stops asking about a given-up order at this age. */
  lateMs: 7 * DAY_MS,
  /** A payment that the provider has not decided for this long has failed, unless it is paid after all. */
  undecidedMs: DAY_MS,
  /** How long a payment elsewhere may take. */
  payMs: 15 * 60 * SECOND_MS,
  /** The bonus of the first deposit in percent. */
  firstBonusPercent: 20,
} as const;

/** The packs of coins for sale, for New Taiwan dollars. */
export const PACKS: readonly Pack[] = [
  { pack_id: 'coins-100', price: 100, coins: 100, bonus: 0, is_best: false },
  { pack_id: 'coins-300', price: 300, coins: 300, bonus: 15, is_best: false },
  { pack_id: 'coins-500', price: 500, coins: 500, bonus: 40, is_best: false },
  { pack_id: 'coins-1000', price: 1_000, coins: 1_000, bonus: 120, is_best: false },
  { pack_id: 'coins-3000', price: 3_000, coins: 3_000, bonus: 450, is_best: true },
  { pack_id: 'coins-5000', price: 5_000, coins: 5_000, bonus: 750, is_best: false },
];

/** The gifts and their prices in coins. */
export const GIFTS: readonly Gift[] = [
  { gift_id: 'rose', name: '玫瑰', coins: 10 },
  { gift_id: 'milk-tea', name: '奶茶', coins: 30 },
  { gift_id: 'cake', name: '蛋糕', coins: 66 },
  { gift_id: 'bear', name: '熊熊', coins: 99 },
  { gift_id: 'bouquet', name: '花束', coins: 299 },
  { gift_id: 'champagne', name: '香檳', coins: 520 },
  { gift_id: 'fireworks', name: '煙火', coins: 999 },
  { gift_id: 'necklace', name: '項鍊', coins: 1_314 },
  { gift_id: 'ring', name: '戒指', coins: 1_999 },
  { gift_id: 'sports-car', name: '跑車', coins: 3_999 },
  { gift_id: 'yacht', name: '遊艇', coins: 6_666 },
  { gift_id: 'castle', name: '城堡', coins: 9_999 },
];

/** The initial prices of a woman, in coins a minute. She can change them in her profile. */
export const PRICE_TIERS: Readonly<Record<PriceTier, { readonly voice: number; readonly video: number }>> = {
  gentle: { voice: 10, video: 20 },
  usual: { voice: 20, video: 40 },
  premium: { voice: 40, video: 80 },
};
