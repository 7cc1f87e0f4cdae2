/** The tables of the books. Amounts are whole: coins, or hundredths of a point. */

/** The transfers, balanced by their entries. Append-only, as the entries are. */
interface TransfersTable {
  /** The idempotency key of the transfer. */
  key: string;
  kind: string;
  at: number;
  /** JSON: the purpose of the transfer. */
  ref: string;
}

interface EntriesTable {
  transfer: string;
  /** The number of the entry in its transfer, from 0. */
  line: number;
  account: string;
  delta: number;
  /** The purse of the account. Null for an account of the platform, as are the next two columns. */
  purse: string | null;
  /** The number of the entry in the history of its purse, from 1. */
  seq: number | null;
  /** The content of the purse after the entry. */
  purse_after: number | null;
  /** The same as in the transfer, so that one index serves a history by kind. */
  kind: string;
  /** The same as in the transfer. */
  at: number;
}

/**
 * The balances of users' accounts: the sums of their entries. Never below 0. Held coins have no entries: there the sum is
 * that of `coins:` and `held:` together.
 */
interface BalancesTable {
  account: string;
  balance: number;
}

/** The purses of users: the sum over the accounts of the purse, and its number of entries. */
interface PursesTable {
  purse: string;
  total: number;
  seq: number;
}

/** The answers to requests that moved money, for requests that come again. */
interface ReceiptsTable {
  u_id: string;
  request: string;
  key: string;
  body_hash: string;
  /** JSON. */
  answer: string;
  at: number;
}

/** Earned points that cannot be redeemed yet. A row is deleted when they can. */
interface SettlementsTable {
  /** The transfer that earned the points. */
  transfer: string;
  u_id: string;
  points: number;
  due_at: number;
}

/** The coins that a woman was given on one day. They decide her share. */
interface VolumesTable {
  u_id: string;
  /** Days since the epoch, in Taipei. */
  day: number;
  coins: number;
}

/** The number of gifts of a kind that a woman was given. */
interface GiftCountsTable {
  u_id: string;
  gift_id: string;
  count: number;
}

/** The cost of a call, or of the messages of one day in one chat. */
interface ChargeSessionsTable {
  session_id: string;
  /** The user who pays. */
  man: string;
  /** The user who earns. */
  woman: string;
  /** voice, video or message. */
  kind: string;
  /** Coins a minute. Null for messages. */
  rate: number | null;
  /** Minutes or messages that were charged. */
  count: number;
  coins: number;
  /** Hundredths of a point. */
  points: number;
  started_at: number;
  /** Milliseconds. Null for a call that goes on, and for messages. */
  duration: number | null;
  end_result: string | null;
  /** 1 for a call that goes on. */
  is_open: number;
  /** When a server last wrote the row. */
  touched_at: number;
  /**
   * The state of the meter of a call that was on hold: the billed time, when it last started, and when the hold began.
   * All are in milliseconds since the beginning of the call.
   */
  meter_before: number | null;
  meter_since: number | null;
  meter_held_at: number | null;
  /** Since when a minute could not be paid, in the time of the meter. Null while the call is paid. */
  unpaid_since: number | null;
  /** 1 when the last minute was refunded. */
  was_given_back: number | null;
  /** The node of a cluster that bills the call. Null without a cluster. */
  owner: string | null;
}

/** The bought and unspent coins of men. They are spent before free ones. */
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
  /** 1 while the coins of the first minute are held. */
  is_held: number;
}

interface DepositsTable {
  deposit_id: string;
  u_id: string;
  /** The number of the order at the payment provider. */
  order_no: string;
  pack_id: string;
  /** New Taiwan dollars. */
  price: number;
  coins: number;
  /** The free coins of the deposit. */
  bonus: number;
  method: string;
  status: string;
  failure: string | null;
  /** The code for a convenience store. */
  pay_code: string | null;
  invoice: string | null;
  created_at: number;
  /** When the payment expires. */
  expires_at: number;
  settled_at: number | null;
}

/** The monthly deposit limit that a user has set, in New Taiwan dollars. */
interface DepositLimitsTable {
  u_id: string;
  limit_now: number;
  /** In force from `next_at` on. */
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
