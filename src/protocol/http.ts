/** The HTTP requests of direct calls (§7): paths, headers and one schema for each body. */
import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { directCallRole, endResult } from './enumerations.ts';
import { callId, callUser, count, customItemKey, customItems, measure, mos, user, userId } from './entities.ts';
import { LIMITS } from './limits.ts';

/** The headers of every JSON request (§7). A request without a session has a short-lived token. */
export const HEADERS = {
  clientId: 'x-client-id',
  sessionToken: 'x-session-token',
  libraryVersion: 'x-library-version',
  shortLivedToken: 'x-short-lived-token',
  /** By it, the exchange runs a repeated request about a room once. */
  requestId: 'x-request-id',
} as const;

/** The query parameters of the realtime channel (§7). */
export const CHANNEL_QUERY = { sessionToken: 'session_token', clientId: 'client_id', version: 'version' } as const;

/** The paths. Parts in braces are parameters, which `filledPath` replaces. */
export const PATHS = {
  login: '/v1/users/{user_id}/login',
  action: '/v1/action/direct_call',
  missedSignal: '/v1/direct_calls/missed_signal',
  summary: '/v1/direct_calls/{call_id}/summary',
  customItems: '/v1/direct_calls/{call_id}/custom_items',
  history: '/v1/users/{user_id}/calls',
  pushTokens: '/v1/users/{user_id}/push/{token_type}',
  pushToken: '/v1/users/{user_id}/push/{token_type}/{push_token}',
  logs: '/v1/sdk/logs',
  debugLogs: '/v1/sdk/debug_logs',
  channel: '/v1/realtime',
} as const;

/** The body of `POST /v1/users/{userId}/login`. */
export const loginBody = v.object({
  app_id: v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.idChars)),
  user_id: userId,
  access_token: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(4096)))),
});

/** The answer of `POST /v1/users/{userId}/login` (§3, authentication response). `stats_interval` is in seconds. */
export const loginAnswer = v.object({
  sbcall_session_token: v.pipe(v.string(), v.minLength(1)),
  user,
  stats_interval: v.number(),
});
export type LoginAnswer = v.InferOutput<typeof loginAnswer>;

/** The answer of `GET /v1/direct_calls/missed_signal`: event frames, which `eventFrom` reads one by one. */
export const missedSignalAnswer = v.object({ signals: v.array(v.unknown()) });

/** A name that a browser engine gives: a codec, a kind of network. */
const name = v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.nameChars)));

/** The body of `POST /v1/direct_calls/{callId}/summary` (§3, call summary fields). Times are milliseconds. */
export const summaryBody = v.object({
  version: v.number(),
  user_role: directCallRole,
  summary_data: v.object({
    end_result: endResult,
    /** The post-dial delay from dial to ringing at the other side. Null when it never rang. */
    pdd: v.nullable(measure),
    /** The time from accept to connected. Null when it never connected. */
    setup_time: v.nullable(measure),
    reconnection_count: count,
    network_type: name,
    candidate_type: name,
    audio: v.object({
      codec: name,
      /** The scores, one for each stats interval. */
      mos_list: boundedList(mos, LIMITS.summaryScores),
      mos: v.nullable(mos),
      /** The share of expected packets that were lost, 0 to 1. */
      packet_loss_rate: v.nullable(v.pipe(measure, v.maxValue(1))),
      rtt: v.nullable(measure),
    }),
    video: v.nullable(
      v.object({
        codec: name,
        freeze_count: v.nullable(count),
        jitter_buffer: v.nullable(measure),
        frame_width: v.nullable(measure),
        frame_height: v.nullable(measure),
        decode_time: v.nullable(measure),
        fps: v.nullable(measure),
      }),
    ),
    /** The stats interval, seconds. */
    stats_interval: measure,
  }),
});
export type SummaryBody = v.InferOutput<typeof summaryBody>;

/** A call in the history (§3, ended call record). Times are milliseconds since the epoch, the duration milliseconds. */
export const callRecord = v.object({
  call_id: callId,
  call_type: v.literal('direct'),
  is_video_call: v.boolean(),
  custom_items: v.record(v.string(), v.string()),
  user_role: directCallRole,
  /** The caller and the callee. */
  participants: v.array(callUser),
  /** When both sides were connected. When they never were, it is when the call was dialled. */
  started_at: v.number(),
  ended_at: v.number(),
  /** The user id of one of the participants. Null when no user ended the call. */
  ended_by: v.nullable(userId),
  duration: v.pipe(
    v.number(),
    v.transform((ms) => Math.max(0, ms)),
  ),
  end_result: endResult,
});
export type CallRecordPayload = v.InferOutput<typeof callRecord>;

/**
 * The query of `GET /v1/users/{userId}/calls`, newest call first. `start_ts` and `end_ts` bound the time of dialling,
 * seconds since the epoch, both included. `end_result` is a comma-joined list. `next` is the cursor of the former
 * answer.
 */
export interface HistoryQuery {
  readonly role?: string;
  readonly limit?: string;
  readonly start_ts?: string;
  readonly end_ts?: string;
  readonly end_result?: string;
  readonly next?: string;
}

/** The answer of `GET /v1/users/{userId}/calls` (§3, call history result). */
export const historyAnswer = v.object({
  calls: v.array(callRecord),
  next: v.nullable(v.string()),
  has_next: v.boolean(),
});
export type HistoryAnswer = v.InferOutput<typeof historyAnswer>;

/** The body of `PUT /v1/direct_calls/{callId}/custom_items`. */
export const putCustomItemsBody = v.object({ custom_items: customItems, mode: v.literal('upsert') });

/** The body of `DELETE /v1/direct_calls/{callId}/custom_items`. Without keys all items are deleted. */
export const deleteCustomItemsBody = v.optional(
  v.object({ keys: v.optional(boundedList(customItemKey, LIMITS.customItems)) }),
);

/**
 * The answer to either request for custom items (§3, custom-items result). `affected_at` is milliseconds since the
 * epoch.
 */
export const customItemsAnswer = v.object({
  custom_items: v.record(v.string(), v.string()),
  updated: v.optional(v.array(v.string()), []),
  deleted: v.optional(v.array(v.string()), []),
  affected_at: v.number(),
});
export type CustomItemsAnswer = v.InferOutput<typeof customItemsAnswer>;

/** Printable characters, and no path part of dots alone: a path contains the token. */
const PUSH_TOKEN = /^(?!(?:.*\/)?\.{1,2}(?:\/|$))[!-~]+$/;

/** The body of `POST /v1/users/{userId}/push/{tokenType}`. A unique token belongs to one user at a time. */
export const pushTokenBody = v.object({
  token: v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.pushTokenChars), v.regex(PUSH_TOKEN)),
  is_unique: v.boolean(),
});

/** The body of any refusal. The client raises it as the error with its code (§8). */
export const errorBody = v.object({ code: v.pipe(v.number(), v.integer()), message: v.string() });
