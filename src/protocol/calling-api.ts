/** Every request of the calling service over HTTP (§7). The library imports paths and schemas from `http.ts` alone. */
import * as v from 'valibot';
import { debugLogsBody, logsBody } from './client-logs.ts';
import { endpoints, type Endpoint } from './endpoint.ts';
import { callId } from './entities.ts';
import { directCallRole, END_RESULTS, pushTokenType } from './enumerations.ts';
import { commandEnvelope, replyEnvelope } from './envelope.ts';
import type { ErrorName } from './errors.ts';
import {
  customItemsAnswer,
  deleteCustomItemsBody,
  HEADERS,
  historyAnswer,
  loginAnswer,
  loginBody,
  missedSignalAnswer,
  PATHS,
  pushTokenBody,
  putCustomItemsBody,
  summaryBody,
} from './http.ts';
import { LIMITS } from './limits.ts';
import { ROOM_API } from './room-api.ts';
import { ALL_COMMANDS } from './room-envelope.ts';

/**
 * The clients that may send a request to the calling service. `visitor`: a client with a session or with a short-lived
 * token. `user`: a device with a session. `owner`: a device of the user whose id is in the path.
 */
export type CallingAccess = 'anybody' | 'visitor' | 'user' | 'owner';

/** The most calls of one request for missed signals. */
const MISSED_CALLS = 50;

const { default: PAGE, min, max } = LIMITS.historyPage;
/** The last second within the range of a Date. */
const LAST_SECOND = 8.64e12;

const seconds = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.toNumber(),
  v.finite(),
  v.minValue(0),
  v.maxValue(LAST_SECOND),
  v.transform(Math.floor),
);

/** The time of dialling: seconds since the epoch, both included. */
const historyRange = v.pipe(
  v.object({ start_ts: v.optional(seconds, '0'), end_ts: v.optional(seconds, String(LAST_SECOND)) }),
  v.forward(
    v.check(({ start_ts, end_ts }) => start_ts <= end_ts),
    ['start_ts'],
  ),
);

/** The filter and the page. `end_result` is a comma-joined list. `next` is the cursor of the former answer. */
const historyPage = v.object({
  role: v.optional(directCallRole),
  end_result: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => (list === '' ? [] : list.toLowerCase().split(','))),
      v.array(v.picklist(END_RESULTS)),
    ),
    '',
  ),
  limit: v.optional(
    v.pipe(v.string(), v.nonEmpty(), v.toNumber(), v.toMinValue(min), v.toMaxValue(max), v.integer()),
    String(PAGE),
  ),
  next: v.optional(callId),
});

/** A text without the NUL character, which PostgreSQL does not store. */
const noNul = v.pipe(v.string(), v.excludes('\0'));

/** The query of missed signals: a comma-joined list of calls. Each counts once. */
const missedSignalsQuery = v.object({
  call_ids: v.pipe(
    v.string(),
    v.transform((list) => [...new Set(list.split(',').filter((id) => id !== ''))]),
    v.minLength(1),
    v.maxLength(MISSED_CALLS),
    v.array(noNul),
  ),
});

/** A command of any group and type. */
const commandFrame = v.union(
  Object.entries(ALL_COMMANDS).flatMap(([cmd, types]) =>
    Object.entries(types).map(([type, payload]: [string, v.GenericSchema]) =>
      v.object({ ...commandEnvelope.entries, cmd: v.literal(cmd), type: v.literal(type), payload }),
    ),
  ),
);

const done = v.object({});
const ofCall = v.object({ call_id: callId });
const ofType = v.object({ user_id: v.string(), token_type: pushTokenType });
const ofToken = v.object({ ...ofType.entries, push_token: noNul });

export const CALLING_API = endpoints({
  callingLogin: {
    method: 'POST',
    path: PATHS.login,
    access: 'anybody',
    about: 'Opens a session for one client of a user.',
    header: HEADERS.clientId,
    body: loginBody,
    answer: loginAnswer,
    errors: { 401: ['USER_NOT_AUTHENTICATED'], 503: ['ERR_SERVER_INTERNAL_ERROR'] },
  },
  action: {
    method: 'POST',
    path: PATHS.action,
    access: 'visitor',
    about:
      'Runs a command without a realtime channel. The answer is the reply frame, also when it refuses the command. A short-lived token allows one dial_rcv.',
    unreadBody: commandFrame,
    answer: replyEnvelope,
    errors: { 400: ['ERR_MALFORMED_DATA', 'ERR_WRONG_RESPONSE'], 409: ['INVALID_PARAMETER_VALUE'] },
  },
  missedSignals: {
    method: 'GET',
    path: PATHS.missedSignal,
    access: 'user',
    about: 'Returns the signals of this device in some calls, for each call in order.',
    query: missedSignalsQuery,
    answer: missedSignalAnswer,
  },
  summary: {
    method: 'POST',
    path: PATHS.summary,
    access: 'user',
    params: ofCall,
    about: 'Stores the summary of a call, once for each device. A second one changes nothing.',
    body: summaryBody,
    answer: done,
    errors: { 404: ['ERR_CALL_DOES_NOT_EXIST'], 409: ['ERR_INVALID_CALL_STATUS'] },
  },
  putCustomItems: {
    method: 'PUT',
    path: PATHS.customItems,
    access: 'user',
    params: ofCall,
    about: 'Adds custom items to a call, or replaces those of the same keys.',
    body: putCustomItemsBody,
    answer: customItemsAnswer,
    errors: { 404: ['ERR_CALL_DOES_NOT_EXIST'] },
  },
  deleteCustomItems: {
    method: 'DELETE',
    path: PATHS.customItems,
    access: 'user',
    params: ofCall,
    about: 'Deletes custom items of a call. Without keys it deletes all of them.',
    body: deleteCustomItemsBody,
    answer: customItemsAnswer,
    errors: { 404: ['ERR_CALL_DOES_NOT_EXIST'] },
  },
  callHistory: {
    method: 'GET',
    path: PATHS.history,
    access: 'owner',
    about: 'Returns a page of the calls of the user, newest first.',
    query: v.intersect([historyRange, historyPage]),
    answer: historyAnswer,
  },
  registerPushToken: {
    method: 'POST',
    path: PATHS.pushTokens,
    access: 'owner',
    about: 'Registers a push token. A unique token is removed from all other users.',
    params: ofType,
    body: pushTokenBody,
    answer: done,
  },
  unregisterPushTokens: {
    method: 'DELETE',
    path: PATHS.pushTokens,
    access: 'owner',
    about: 'Unregisters all push tokens of a type.',
    params: ofType,
    answer: done,
  },
  unregisterPushToken: {
    method: 'DELETE',
    path: PATHS.pushToken,
    access: 'owner',
    about: 'Unregisters one push token of the user.',
    params: ofToken,
    answer: done,
    errors: { 404: ['ERR_REQUEST_FAILED'] },
  },
  statsLogs: {
    method: 'POST',
    path: PATHS.logs,
    access: 'user',
    about: 'Sends the statistics of one interval of a call.',
    body: logsBody,
    answer: done,
    errors: { 404: ['ERR_CALL_DOES_NOT_EXIST'] },
  },
  debugLogs: {
    method: 'POST',
    path: PATHS.debugLogs,
    access: 'user',
    about: 'Sends lines of the log of a client.',
    body: debugLogsBody,
    answer: done,
  },
  ...ROOM_API,
});

export type CallingApi = typeof CALLING_API;
/** The name of a request of the calling service. */
export type CallingRoute = keyof CallingApi;

/** Returns the endpoint of this name, typed as any endpoint. */
export const callingEndpointOf = (name: CallingRoute): Endpoint<CallingAccess, ErrorName> => CALLING_API[name];
