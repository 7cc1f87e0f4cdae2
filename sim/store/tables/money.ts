/** The books: what every coin and point did. Amounts are whole: coins, or hundredths of a point. */

/** One movement of money, balanced by its entries. Append-only, as the entries. */
interface TransfersTable {
  /** Says which movement it is: it happens once. */
  key: string;
  kind: string;
  at: number;
  /** JSON: what it was for. */
  ref: string;
}

interface EntriesTable {
  transfer: string;
  /** From 0. */
  line: number;
  account: string;
  delta: number;
  /** The purse the account is a part of; null for an account of the platform, as the two after it. */
  purse: string | null;
  /** The place of the entry in the history of its purse, from 1. */
  seq: number | null;
  /** What the purse held after it. */
  purse_after: number | null;
  /** As of the transfer, so that one index serves a history by kind. */
  kind: string;
  /** As of the transfer. */
  at: number;
}

/** What each account of a user holds: the sum of its entries. Never below 0. */
interface BalancesTable {
  account: string;
  balance: number;
}

/** All that one user has of one kind of money: the sum over the accounts of the purse, and how many entries it has. */
interface PursesTable {
  purse: string;
  total: number;
  seq: number;
}

/** What was answered to a request that moved money, for when it comes again. */
interface ReceiptsTable {
  u_id: string;
  request: string;
  key: string;
  body_hash: string;
  /** JSON. */
  answer: string;
  at: number;
}

/** Points that were earned and are not to be redeemed yet. A row goes when they are. */
interface SettlementsTable {
  /** The transfer that earned them. */
  transfer: string;
  u_id: string;
  points: number;
  due_at: number;
}

/** The coins a woman was given on one day: her share goes by them. */
interface VolumesTable {
  u_id: string;
  /** Days since the epoch, in Taipei. */
  day: number;
  coins: number;
}

/** How many of a gift a woman was given, by whomever. */
interface GiftCountsTable {
  u_id: string;
  gift_id: string;
  count: number;
}

/** What a call cost, or the messages of one day in one chat. */
interface ChargeSessionsTable {
  session_id: string;
  /** Who pays. */
  man: string;
  /** Who earns. */
  woman: string;
  /** voice, video or message. */
  kind: string;
  /** Coins a minute; null for messages. */
  rate: number | null;
  /** Minutes or messages that were charged. */
  count: number;
  coins: number;
  /** Hundredths of a point. */
  points: number;
  started_at: number;
  /** Milliseconds; null while it goes on, and for messages. */
  duration: number | null;
  end_result: string | null;
  /** 1 for a call that goes on. */
  is_open: number;
  /** When a server last had to do with it. */
  touched_at: number;
  /**
   * Where the meter of a call stands that was on hold: billed time, since when it runs, and since when it is held. All in
   * milliseconds, counted from the beginning of the call.
   */
  meter_before: number | null;
  meter_since: number | null;
  meter_held_at: number | null;
  /** Since when a minute could not be paid, counted as the meter is; null while the call is paid. */
  unpaid_since: number | null;
  /** 1 where the last minute was given back. */
  was_given_back: number | null;
}

/** How many coins a man has bought and not yet spent: they are spent before those that were given. */
interface BoughtCoinsTable {
  u_id: string;
  coins: number;
}

/** The one call that a man pays, from its dial to its end. */
interface ReservationsTable {
  man: string;
  call_id: string;
  woman: string;
  /** voice or video. */
  kind: string;
  /** Coins a minute. */
  rate: number;
  at: number;
}

interface DepositsTable {
  deposit_id: string;
  u_id: string;
  /** What the payment provider knows it by. */
  order_no: string;
  pack_id: string;
  /** New Taiwan dollars. */
  price: number;
  coins: number;
  /** Coins given with them. */
  bonus: number;
  method: string;
  status: string;
  failure: string | null;
  /** What a convenience store takes. */
  pay_code: string | null;
  invoice: string | null;
  created_at: number;
  /** When it is too late to pay. */
  expires_at: number;
  settled_at: number | null;
}

/** What somebody lets themself spend on coins in a month: New Taiwan dollars. */
interface DepositLimitsTable {
  u_id: string;
  limit_now: number;
  /** Holds from `next_at` on. */
  limit_next: number | null;
  next_at: number | null;
}

export interface MoneyTables {
  ringback_deposits: DepositsTable;
  ringback_deposit_limits: DepositLimitsTable;
  ringback_settlements: SettlementsTable;
  ringback_volumes: VolumesTable;
  ringback_gift_counts: GiftCountsTable;
  ringback_charge_sessions: ChargeSessionsTable;
  ringback_reservations: ReservationsTable;
  ringback_bought_coins: BoughtCoinsTable;
  ringback_transfers: TransfersTable;
  ringback_entries: EntriesTable;
  ringback_balances: BalancesTable;
  ringback_purses: PursesTable;
  ringback_receipts: ReceiptsTable;
}
