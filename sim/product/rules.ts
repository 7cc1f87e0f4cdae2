/** What things cost, who gets how much of it, and how long what takes: the rules of the platform, in one place. */
import type { Gift } from '../../src/protocol/product/gifts.ts';
import type { Pack } from '../../src/protocol/product/wallet.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The calendar of the platform: a month begins when it begins in Taipei. */
export const TAIPEI_OFFSET_MS = 8 * HOUR_MS;

export const CALL_RULES = {
  /** The first of a call costs nothing. */
  freeMs: 10 * SECOND_MS,
  minuteMs: 60 * SECOND_MS,
  /** So much of each time on hold is billed. */
  holdMs: 30 * SECOND_MS,
  /** How long a call goes on that cannot be paid any more. */
  graceMs: 30 * SECOND_MS,
  /** So many calls of one pair and one day have their last minute given back where the connection was lost. */
  refundsADay: 2,
} as const;

/** Coins. */
export const MESSAGE_RULES = {
  text: 2,
  photo: 5,
  voice: 5,
  /** So many messages of a man in each chat cost nothing. */
  free: 10,
} as const;

/** What women get of the coins they are given: percent, by the coins of the last 30 days. The highest that fits holds. */
export const SHARE_RULES = {
  tiers: [
    { from: 0, percent: 40 },
    { from: 10_000, percent: 45 },
    { from: 50_000, percent: 50 },
  ],
  tierDays: 30,
  giftPercent: 50,
  /** Hundredths of a point that a coin is worth before it is shared. */
  pointsPerCoin: 100,
  /** What is earned may be redeemed after this. */
  settleMs: DAY_MS,
} as const;

/** Whole points, of which each is one New Taiwan dollar. */
export const REDEMPTION_RULES = {
  least: 1_000,
  step: 100,
  dailyMost: 50_000,
  /** Taken out of what is paid. */
  fee: 15,
} as const;

/** How long rows are kept that are neither books nor a part of an account. Sessions, letters and devices have times of their own. */
export const RETENTION_RULES = {
  codesMs: DAY_MS,
  receiptsMs: 2 * DAY_MS,
  identityTriesMs: 30 * DAY_MS,
  /** Calls in the history, with their summaries. */
  callsMs: 365 * DAY_MS,
  reportsMs: 2 * 365 * DAY_MS,
} as const;

export const CONTACT_RULES = {
  /** A new contact confirms what moves money only after this: so long its owner has to hear of a change that is not theirs. */
  coolOffMs: 3 * DAY_MS,
} as const;

/**
 * Coins: every man begins with some, and those of the demo world with more. Those that were given earn no points and are spent
 * last (ADR 0022); those of the demo world count as bought.
 */
export const BONUS_RULES = { welcome: 100, demo: 3_000 } as const;

export const DEPOSIT_RULES = {
  /** New Taiwan dollars a month; a user may set a lower one. */
  monthlyLimit: 20_000,
  /** A higher limit holds only after this. */
  coolOffMs: DAY_MS,
  /** A code for a convenience store may be paid for this long. */
  codeMs: 72 * HOUR_MS,
  /** The provider is waited for this long; then the payment is under way, and the provider is asked about it later. */
  answerMs: 15 * SECOND_MS,
  /** How often the provider is asked about payments that are not decided. */
  lookMs: 30 * SECOND_MS,
  /** How often the provider is asked about payments that were given up: a store may report one late. */
  lateLookMs: HOUR_MS,
  /** An order older than this is not asked about once it is given up. */
  lateMs: 7 * DAY_MS,
  /** A payment that the provider has not decided for this long has failed, unless it turns out to be paid after all. */
  undecidedMs: DAY_MS,
  /** So long a payment may be made elsewhere. */
  payMs: 15 * 60 * SECOND_MS,
  /** Percent more coins with the first deposit of all. */
  firstBonusPercent: 20,
} as const;

/** What may be bought: coins for New Taiwan dollars. */
export const PACKS: readonly Pack[] = [
  { pack_id: 'coins-100', price: 100, coins: 100, bonus: 0, is_best: false },
  { pack_id: 'coins-300', price: 300, coins: 300, bonus: 15, is_best: false },
  { pack_id: 'coins-500', price: 500, coins: 500, bonus: 40, is_best: false },
  { pack_id: 'coins-1000', price: 1_000, coins: 1_000, bonus: 120, is_best: false },
  { pack_id: 'coins-3000', price: 3_000, coins: 3_000, bonus: 450, is_best: true },
  { pack_id: 'coins-5000', price: 5_000, coins: 5_000, bonus: 750, is_best: false },
];

/** What may be given, and what it costs: coins. */
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
