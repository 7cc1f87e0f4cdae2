/** What the exchange keeps of calls. */

/** One row a call that ended. */
interface CallsTable {
  call_id: string;
  /** 0 or 1. */
  is_video_call: number;
  /** JSON: the caller and the callee as they were when it was dialled. */
  participants: string;
  created_at: number;
  started_at: number | null;
  ended_at: number;
  /** A user id. */
  ended_by: string | null;
  /** Milliseconds. */
  duration: number;
  end_result: string;
  /** JSON. */
  custom_items: string;
  items_affected_at: number;
}

/** One row a call and user, so that one index serves a user's history. */
interface PartsTable {
  call_id: string;
  user_id: string;
  role: string;
  /** As in the call. */
  created_at: number;
}

interface PushTokensTable {
  user_id: string;
  token_type: string;
  /** A token may be longer than what an index takes. */
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

/** One row a user who has ever authenticated with the calling service. */
interface CallersTable {
  user_id: string;
}

/** One row an exchange that has started, by its name. */
interface ExchangesTable {
  name: string;
  epoch: number;
  /** When it last wrote. */
  seen_at: number;
  /** The same moment on the monotonic clock of its process, whole milliseconds. */
  seen_clock: number;
  /** 0 or 1: it stopped in order. */
  has_left: number;
}

/** One row a call that goes on. */
interface LiveCallsTable {
  call_id: string;
  /** The name of the exchange that owns it. */
  exchange: string;
  /** JSON. */
  body: string;
}

/** One row a signal of a call that goes on. */
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
