/** The HTTP requests of a direct call (§7), one function each. They throw what {@link RestClient.request} throws. */
import * as v from 'valibot';
import type { CallingApi, CallingRoute } from '../../protocol/calling-api.ts';
import type { DebugLogsBody, LogsBody, StatsLog } from '../../protocol/client-logs.ts';
import {
  eventFrom,
  replyFrom,
  type AnyCommandFrame,
  type EventFrame,
  type ReplyFrame,
} from '../../protocol/envelope.ts';
import { filledPath } from '../../protocol/endpoint.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import {
  customItemsAnswer,
  historyAnswer,
  loginAnswer,
  missedSignalAnswer,
  PATHS,
  type CustomItemsAnswer,
  type HistoryAnswer,
  type HistoryQuery,
  type LoginAnswer,
  type SummaryBody,
} from '../../protocol/http.ts';
import type { Logger } from '../logging/log.ts';
import type { Rest, RestAuth } from './rest-client.ts';

/** The body that the table of the calling service states for a request. */
type BodyOf<Name extends CallingRoute> = CallingApi[Name] extends {
  readonly body: infer Schema extends v.GenericSchema;
}
  ? v.InferInput<Schema>
  : unknown;

/**
 * A request as its row of the table states it. Only types of the table are used here: the table itself, with the
 * schemas of all bodies, would make the library larger.
 */
interface Stated<Name extends CallingRoute> {
  readonly method: CallingApi[Name]['method'];
  readonly path: string;
  readonly query?: object;
  readonly body?: BodyOf<Name>;
  readonly answer: CallingApi[Name]['answer'] | 'none';
  readonly auth: CallingApi[Name]['access'] extends 'anybody' ? 'none' : RestAuth;
  readonly quiet?: true;
}

/** Logs a user in to the calling service. The access token is optional (§5). */
export function login(
  rest: Rest,
  { appId, userId, accessToken }: { appId: string; userId: string; accessToken?: string | undefined },
): Promise<LoginAnswer> {
  return rest.request({
    method: 'POST',
    path: filledPath(PATHS.login, { user_id: userId }),
    body: { app_id: appId, user_id: userId, ...(accessToken === undefined ? {} : { access_token: accessToken }) },
    answer: loginAnswer,
    auth: 'none',
  } satisfies Stated<'callingLogin'>);
}

/**
 * Sends a command by HTTP: the fallback of signalling, and dial-received with the short-lived token of the dial. The
 * exchange runs a frame that is sent twice once, by its request id.
 *
 * @throws CallError `ERR_WRONG_RESPONSE` when the answer is not the reply to this command.
 */
export async function action(
  rest: Rest,
  frame: AnyCommandFrame,
  { auth = 'session', limitMs }: { readonly auth?: RestAuth; readonly limitMs?: number } = {},
): Promise<ReplyFrame> {
  const limit = limitMs === undefined ? {} : { limitMs };
  const value = await rest.request({
    method: 'POST',
    path: PATHS.action,
    body: frame,
    answer: v.unknown(),
    auth,
    ...limit,
  });
  const reply = readAs(value, replyFrom);
  if (!reply || reply.request_id !== frame.request_id) throw new CallError(ErrorCode.ERR_WRONG_RESPONSE);
  return reply;
}

/**
 * Returns the signals kept for these calls. An unreadable signal is logged and left out, so that the others still
 * arrive.
 */
export async function missedSignals(rest: Rest, callIds: readonly string[], log: Logger): Promise<EventFrame[]> {
  const { signals } = await rest.request({
    method: 'GET',
    path: PATHS.missedSignal,
    query: { call_ids: callIds },
    answer: missedSignalAnswer,
    auth: 'session',
  } satisfies Stated<'missedSignals'>);
  return signals.flatMap((signal) => {
    const frame = readAs(signal, eventFrom, (fault) => log.error('unreadable missed signal', { fault }));
    return frame ? [frame] : [];
  });
}

/** Sends the statistics of one interval of a call. */
export async function statsLog(rest: Rest, log: StatsLog): Promise<void> {
  const body: LogsBody = { log_group: 'call_stats', log_data: log };
  await rest.request({
    method: 'POST',
    path: PATHS.logs,
    body,
    answer: 'none',
    auth: 'session',
  } satisfies Stated<'statsLogs'>);
}

/** Sends lines of the log. */
export async function debugLogs(rest: Rest, body: DebugLogsBody): Promise<void> {
  await rest.request({
    method: 'POST',
    path: PATHS.debugLogs,
    body,
    answer: 'none',
    auth: 'session',
    quiet: true,
  } satisfies Stated<'debugLogs'>);
}

/** Sends the summary of an ended call. */
export async function summary(rest: Rest, callId: string, body: SummaryBody): Promise<void> {
  await rest.request({
    method: 'POST',
    path: filledPath(PATHS.summary, { call_id: callId }),
    body,
    answer: 'none',
    auth: 'session',
  } satisfies Stated<'summary'>);
}

/** Adds or changes custom items of a call. */
export function putCustomItems(
  rest: Rest,
  callId: string,
  items: Readonly<Record<string, string>>,
): Promise<CustomItemsAnswer> {
  const body = { custom_items: items, mode: 'upsert' as const };
  return rest.request({
    method: 'PUT',
    path: filledPath(PATHS.customItems, { call_id: callId }),
    body,
    answer: customItemsAnswer,
    auth: 'session',
  } satisfies Stated<'putCustomItems'>);
}

/** Deletes custom items of a call. Without keys it deletes all of them. */
export function deleteCustomItems(rest: Rest, callId: string, keys?: readonly string[]): Promise<CustomItemsAnswer> {
  return rest.request({
    method: 'DELETE',
    path: filledPath(PATHS.customItems, { call_id: callId }),
    ...(keys ? { body: { keys } } : {}),
    answer: customItemsAnswer,
    auth: 'session',
  } satisfies Stated<'deleteCustomItems'>);
}

/** Returns one page of a user's calls. */
export function callHistory(rest: Rest, userId: string, query: HistoryQuery): Promise<HistoryAnswer> {
  return rest.request({
    method: 'GET',
    path: filledPath(PATHS.history, { user_id: userId }),
    query: { ...query },
    answer: historyAnswer,
    auth: 'session',
  } satisfies Stated<'callHistory'>);
}

/** Registers a push token of this user, and removes it from other users. */
export async function addPushToken(rest: Rest, userId: string, tokenType: string, token: string): Promise<void> {
  const body = { token, is_unique: true };
  await rest.request({
    method: 'POST',
    path: filledPath(PATHS.pushTokens, { user_id: userId, token_type: tokenType }),
    body,
    answer: 'none',
    auth: 'session',
  } satisfies Stated<'registerPushToken'>);
}

/** Unregisters one push token, or all of its type without `token`. */
export async function removePushTokens(rest: Rest, userId: string, tokenType: string, token?: string): Promise<void> {
  const ofType = { user_id: userId, token_type: tokenType };
  const path =
    token === undefined
      ? filledPath(PATHS.pushTokens, ofType)
      : filledPath(PATHS.pushToken, { ...ofType, push_token: token });
  await rest.request({
    method: 'DELETE',
    path,
    answer: 'none',
    auth: 'session',
  } satisfies Stated<'unregisterPushToken'>);
}

function readAs<T>(value: unknown, read: (value: unknown) => T, fault?: (fault: unknown) => void): T | undefined {
  try {
    return read(value);
  } catch (error) {
    fault?.(error);
    return undefined;
  }
}
