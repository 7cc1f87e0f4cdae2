/** The accounts of the ledger, and what they hold. */

/** Coins are men's, and whole; points are women's, in hundredths. One never becomes the other but through the platform. */
export type Money = 'coins' | 'points';

/** The parts of a user's purse. */
const PARTS = {
  /** What a man may spend. */
  coins: 'coins',
  /** Coins kept for the first minute of a call that is going on. */
  held: 'coins',
  /** Points that may be redeemed. */
  points: 'points',
  /** Points that were just earned, not yet to be redeemed. */
  settling: 'points',
  /** Points of a redemption that is being looked at. */
  reviewing: 'points',
} as const satisfies Record<string, Money>;

/** Where the platform's side of a movement is booked: these alone may be below zero, for coins and points come from them. */
const PLATFORM = {
  /** Where coins come from when they are bought: these alone earn points, see bought-coins.ts. */
  'house:sold': 'coins',
  /** Where coins come from that nobody paid for. */
  'house:bonus': 'coins',
  /** Where coins go when they are spent. */
  'house:spent': 'coins',
  /** Where points come from when they are earned. */
  'house:earned': 'points',
  /** Where points go when they are paid out. */
  'house:redeemed': 'points',
  /** Where the fees of redemptions go. */
  'house:fees': 'points',
} as const satisfies Record<string, Money>;

type Part = keyof typeof PARTS;
export type PlatformAccount = keyof typeof PLATFORM;
export type UserAccount = `${Part}:${string}`;
export type AccountName = PlatformAccount | UserAccount;

export interface KnownAccount {
  readonly money: Money;
  /** The purse of the user that it is a part of; null for the platform's. */
  readonly purse: string | null;
}

const isPart = (part: string): part is Part => Object.hasOwn(PARTS, part);
const isPlatformAccount = (name: string): name is PlatformAccount => Object.hasOwn(PLATFORM, name);

/** @throws Error there is no such account. */
export function accountOf(name: AccountName): KnownAccount {
  if (isPlatformAccount(name)) return { money: PLATFORM[name], purse: null };
  const at = name.indexOf(':');
  const part = name.slice(0, at);
  const uId = name.slice(at + 1);
  if (!isPart(part) || uId === '') throw new Error(`There is no account ${name}.`);
  return { money: PARTS[part], purse: purseOf(PARTS[part], uId) };
}

/** The name of all that a user has of one kind of money. */
export const purseOf = (money: Money, uId: string): string => `${money}:${uId}`;
