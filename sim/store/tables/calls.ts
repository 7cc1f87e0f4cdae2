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

export interface CallTables {
  ringback_calls: CallsTable;
  ringback_parts: PartsTable;
  ringback_push_tokens: PushTokensTable;
  ringback_summaries: SummariesTable;
}
