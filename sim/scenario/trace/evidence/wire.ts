import { ErrorCode } from '../../../../src/protocol/errors.ts';
import { END_RESULTS } from '../../../../src/protocol/enumerations.ts';
import { TIMES } from '../../../../src/protocol/limits.ts';
import {
  type Trace,
  type Evidence,
  messages,
  sent,
  received,
  hasAll,
  requested,
  raised,
  all,
  any,
  notified,
  SUMMARY,
  noticesOf,
  complaint,
  requests,
  follow,
  valueAt,
} from '../predicates.ts';

const ACTION = /^\/v1\/action\/direct_call$/;
const ITEMS = /^\/v1\/direct_calls\/[^/]+\/custom_items$/;
const SUMMARY_FIELDS = [
  'pdd',
  'setup_time',
  'reconnection_count',
  'network_type',
  'candidate_type',
  'audio.mos_list',
  'audio.codec',
  'audio.mos',
  'audio.packet_loss_rate',
  'audio.rtt',
  'video.codec',
  'video.freeze_count',
  'video.jitter_buffer',
  'video.frame_width',
  'video.decode_time',
  'video.fps',
  'stats_interval',
];

const devicesOf = (trace: Trace): string[] => [
  ...new Set(trace.flatMap((event) => ('device' in event ? [event.device] : []))),
];

const isUnknownResult = (result: unknown): boolean =>
  typeof result === 'string' && !(END_RESULTS as readonly string[]).includes(result);

/** Returns the code in the body of a refusal. */
const valueOfAnswer = (event: Trace[number]): unknown =>
  event.kind === 'http' ? valueAt(event.body, 'code') : undefined;

/** The evidence for the requirements of messages, requests and the realtime channel. */
export const WIRE: Readonly<Record<string, Evidence>> = {
  'PAY-01': sent('dial', 'callee_id', 'is_video_call', 'constraints', 'capabilities'),
  'PAY-02': received(
    'dial',
    'is_video_call',
    'call_id',
    'caller',
    'callee',
    'turn_credential',
    'constraints',
    'custom_items',
    'short_lived_token',
    'capabilities',
  ),
  'PAY-03': sent('accept', 'call_id', 'constraints', 'capabilities'),
  'PAY-04': received('accept', 'call_id', 'turn_credential', 'audio', 'video', 'capabilities'),
  'PAY-05': all(sent('offer', 'call_id', 'session'), sent('answer', 'call_id', 'session')),
  'PAY-07': sent('candidate', 'call_id', 'candidate.sdp', 'candidate.sdp_mline_index', 'candidate.sdp_mid'),
  'PAY-08': all(sent('audio', 'call_id', 'is_enabled'), sent('video', 'call_id', 'is_enabled')),
  'PAY-09': sent('hold', 'call_id', 'is_on_hold', 'was_relayed'),
  'PAY-10': sent('recording', 'call_id', 'recording_id', 'recording_type', 'recording_status'),
  'PAY-11': sent('timeout', 'call_id', 'reason'),
  'PAY-12': sent('connected', 'call_id', 'connection.connection_type', 'reconnect'),
  'PAY-14': received('hold', 'holded_by', 'is_peer_on_hold', 'is_relayed'),
  'PAY-15': all(
    received('custom_items_update', 'updated', 'custom_items'),
    received('custom_items_delete', 'deleted', 'custom_items'),
  ),
  'PAY-16': received('turn_changed', 'turn_credential', 'event_id'),
  'PAY-17': received('alive_ack', 'alive_at'),
  'HTTP-25': requested('POST', /^\/v1\/action\/direct_call$/),
  'HTTP-26': requested('GET', /^\/v1\/direct_calls\/missed_signal$/),
  'HTTP-27': all(
    requested('PUT', /^\/v1\/direct_calls\/[^/]+\/custom_items$/),
    requested('DELETE', /^\/v1\/direct_calls\/[^/]+\/custom_items$/),
  ),
  'HTTP-28': requested('POST', SUMMARY),
  'PAY-06': (trace) =>
    ['offer', 'answer'].every((cmd) =>
      (['up', 'down'] as const).every((direction) =>
        messages(trace, direction, cmd).some(({ payload }) => Array.isArray(valueAt(payload, 'session'))),
      ),
    ),
  'PAY-13': (trace) =>
    requests(trace, 'POST', ACTION).some(
      ({ body }) =>
        valueAt(body, 'type') === 'dial_rcv' &&
        hasAll(valueAt(body, 'payload'), ['call_id', 'callee_delivery_info', 'received_type']),
    ),
  'PAY-19': complaint(/incorrect header check|invalid block type/),
  'ENT-03': (trace) =>
    messages(trace, 'down', 'custom_items_update').some(
      ({ device }) =>
        messages(trace, 'down', 'custom_items_update').filter((message) => message.device === device).length >
        noticesOf(trace, device, 'onCustomItemsUpdated').length,
    ),
  'ENT-27': (trace) =>
    trace.some(
      (event) =>
        event.kind === 'message' &&
        event.direction === 'down' &&
        isUnknownResult(valueAt(event.payload, 'end_result')) &&
        requests(trace, 'POST', SUMMARY).some(
          ({ device, body }) => device === event.device && valueAt(body, 'summary_data.end_result') === 'unknown',
        ),
    ),
  'CI-01': all(
    requested('PUT', ITEMS),
    requested('DELETE', ITEMS),
    received('custom_items_update'),
    received('custom_items_delete'),
    notified('onCustomItemsUpdated'),
    notified('onCustomItemsDeleted'),
  ),
  'CI-03': all(raised(ErrorCode.INVALID_PARAMETER_VALUE), (trace) => requests(trace, 'PUT', ITEMS).length === 0),
  'RT-03': (trace) =>
    devicesOf(trace).some((device) =>
      follow(
        trace.flatMap((event) =>
          event.kind === 'socket' && event.device === device && event.what === 'close' ? [event.at] : [],
        ),
        [TIMES.channelRetryMs, TIMES.channelBackoffMs[0], TIMES.channelBackoffMs[1]],
        TIMES.channelBackoffNoise,
      ),
    ),
  'RT-04': raised(ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST),
  'RT-05': raised(ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT),
  'RT-06': any(
    raised(ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED),
    raised(ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED),
  ),
  'RT-07': (trace) =>
    devicesOf(trace).some((device) =>
      follow(
        requests(trace, 'POST', ACTION).flatMap((request) => (request.device === device ? [request.at] : [])),
        TIMES.genericRetryMs,
        0,
      ),
    ),
  'HTTP-18': requested('POST', /^\/v1\/users\/[^/]+\/login$/),
  'HTTP-23': requested('POST', /^\/v1\/sdk\/logs$/),
  'HTTP-29': raised(ErrorCode.ERR_MALFORMED_DATA),
  'HTTP-30': raised(ErrorCode.INTERNAL_SERVER_ERROR),
  'HTTP-31': raised(ErrorCode.ERR_REQUEST_FAILED),
  'HTTP-32': (trace, tolerance) =>
    trace.some((event) => {
      const code = event.kind === 'http' && event.direction === 'up' ? undefined : valueOfAnswer(event);
      return typeof code === 'number' && raised(code)(trace, tolerance);
    }),
  'HTTP-33': raised(ErrorCode.ERR_WRONG_RESPONSE),
  'ST-04': (trace) =>
    requests(trace, 'POST', SUMMARY).some(({ body }) => hasAll(valueAt(body, 'summary_data'), SUMMARY_FIELDS)),
  'ST-06': (trace) => {
    const summaries = requests(trace, 'POST', SUMMARY).map(({ device }) => device);
    return summaries.length > 1 && new Set(summaries).size === summaries.length;
  },
  'LIB-09': raised(ErrorCode.USER_NOT_AUTHENTICATED),
};
