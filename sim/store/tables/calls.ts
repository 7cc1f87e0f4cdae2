/** The tables of the exchange. */

/** One row for each call that ended. */
interface CallsTable {
  call_id: string;
  /** 0 or 1. */
  is_video_call: number;
  /** JSON: the caller and the callee as they were at the dial. */
  participants: string;
  created_at: number;
  started_at: number | null;
  ended_at: number;
  /** The id of the user who ended the call. Null when none did. */
  ended_by: string | null;
  /** Milliseconds. */
  duration: number;
  end_result: string;
  /** JSON. */
  custom_items: string;
  items_affected_at: number;
}

/** One row for each call and user, so that one index serves the history of a user. */
interface PartsTable {
  call_id: string;
  user_id: string;
  role: string;
  /** The same as in the call. */
  created_at: number;
}

interface PushTokensTable {
  user_id: string;
  token_type: string;
  /** The hash of the token, which may be too long for an index. */
  token_hash: string;
  token: string;
}

interface SummariesTable {
  call_id: string;
  user_id: string;
  client_id: string;
  /** JSON. */
  summary: string;
}

/** One row for each user who has ever authenticated with the calling service. */
interface CallersTable {
  user_id: string;
}

/** One row for each exchange that has started, by its name. */
interface ExchangesTable {
  name: string;
  epoch: number;
  /** When the exchange last wrote. */
  seen_at: number;
  /** The same moment on the monotonic clock of its process. Whole milliseconds. */
  seen_clock: number;
  /** 0 or 1: whether the exchange stopped in an orderly way. */
  has_left: number;
}

/** One row for each live call. */
interface LiveCallsTable {
  call_id: string;
  /** The name of the exchange that owns it. */
  exchange: string;
  /** JSON. */
  body: string;
}

/** One row for each signal of a live call. */
interface LiveSignalsTable {
  call_id: string;
  side: string;
  client_id: string;
  sequence: number;
  /** JSON. */
  frame: string;
}

export interface CallTables {
  ringback_calls: CallsTable;
  ringback_parts: PartsTable;
  ringback_push_tokens: PushTokensTable;
  ringback_summaries: SummariesTable;
  ringback_callers: CallersTable;
  ringback_exchanges: ExchangesTable;
  ringback_live_calls: LiveCallsTable;
  ringback_live_signals: LiveSignalsTable;
}
