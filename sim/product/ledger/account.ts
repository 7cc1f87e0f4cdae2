/** The accounts of the ledger. */

/**
 * The kinds of money. Coins are whole and belong to men. Points count in hundredths and belong to women. Only the
 * platform converts.
 */
export type Money = 'coins' | 'points';

/** The parts of a user's purse. */
const PARTS = {
  /** Coins that a man may spend. */
  coins: 'coins',
  /** Coins that are held for the first minute of a call. They have no entries, except those of older versions. */
  held: 'coins',
  /** Points that may be redeemed. */
  points: 'points',
  /** Points that were just earned and may not be redeemed yet. */
  settling: 'points',
  /** Points of a redemption that is under review. */
  reviewing: 'points',
} as const satisfies Record<string, Money>;

/** The platform's side of each transfer. Only these accounts may be below zero, since they issue coins and points. */
const PLATFORM = {
  /** The source of bought coins. Only these earn points, see bought-coins.ts. */
  'house:sold': 'coins',
  /** The source of coins that were not paid for. */
  'house:bonus': 'coins',
  /** The destination of spent coins. */
  'house:spent': 'coins',
  /** The source of earned points. */
  'house:earned': 'points',
  /** The destination of points that are paid out. */
  'house:redeemed': 'points',
  /** The destination of redemption fees. */
  'house:fees': 'points',
} as const satisfies Record<string, Money>;

type Part = keyof typeof PARTS;
export type PlatformAccount = keyof typeof PLATFORM;
export type UserAccount = `${Part}:${string}`;
export type AccountName = PlatformAccount | UserAccount;

export interface KnownAccount {
  readonly money: Money;
  /** The purse of the user that has the account. Null for an account of the platform. */
  readonly purse: string | null;
}

const isPart = (part: string): part is Part => Object.hasOwn(PARTS, part);
const isPlatformAccount = (name: string): name is PlatformAccount => Object.hasOwn(PLATFORM, name);

/** Parses the name of an account. @throws Error when there is no such account. */
export function accountOf(name: AccountName): KnownAccount {
  if (isPlatformAccount(name)) return { money: PLATFORM[name], purse: null };
  const at = name.indexOf(':');
  const part = name.slice(0, at);
  const uId = name.slice(at + 1);
  if (!isPart(part) || uId === '') throw new Error(`Unknown account ${name}.`);
  return { money: PARTS[part], purse: purseOf(PARTS[part], uId) };
}

/** Returns the name of the purse with a user's money of one kind. */
export const purseOf = (money: Money, uId: string): string => `${money}:${uId}`;
