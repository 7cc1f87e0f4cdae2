/** The reports of clients: the statistics of a connected call, and the lines of their log (§3, §7). */
import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { callId, count, measure, mos, userId } from './entities.ts';
import { directCallRole, LOG_LEVELS, type LogLevel } from './enumerations.ts';
import { LIMITS, PROTOCOL_VERSION } from './limits.ts';

/** A name that a browser engine gives: a codec, a kind of network. */
const name = v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.nameChars)));

const sent = {
  codec: name,
  packets: count,
  bytes: count,
  /** The other side's report about this stream. Null before its first report. */
  reported: v.nullable(v.strictObject({ packets_lost: count, jitter: v.nullable(measure), rtt: v.nullable(measure) })),
};

const received = {
  codec: name,
  packets: count,
  bytes: count,
  packets_lost: count,
  jitter: v.nullable(measure),
  /** The mean wait in the jitter buffer, milliseconds. */
  jitter_buffer: v.nullable(measure),
};

const frameSize = { frame_width: v.nullable(measure), frame_height: v.nullable(measure), fps: v.nullable(measure) };

/**
 * The body of `POST /v1/sdk/logs` (§3, stats log fields): the newest statistics, sent once each stats interval of a
 * connected call. Counters run from the start of the peer connection. Times are milliseconds. Null stands for an
 * unknown value.
 */
export const logsBody = v.strictObject({
  log_group: v.literal('call_stats'),
  log_data: v.strictObject({
    app_id: v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.idChars)),
    /** chrome, edge, firefox, safari and the like. `other` for an unknown browser. */
    browser_type: v.pipe(v.string(), v.minLength(1), v.maxLength(32)),
    call_id: callId,
    /** The wall time of the device, milliseconds since the epoch. */
    device_timestamp: measure,
    role: directCallRole,
    caller_id: userId,
    callee_id: userId,
    is_video_call: v.boolean(),
    metadata: v.strictObject({
      /** The number of measurements since the former report. The last one is in this report. */
      measure_count: v.pipe(count, v.minValue(1)),
      /** The stats interval, seconds. */
      interval: v.pipe(
        v.number(),
        v.minValue(LIMITS.statsIntervalSeconds.min),
        v.maxValue(LIMITS.statsIntervalSeconds.max),
      ),
    }),
    transport: v.strictObject({
      network_type: name,
      protocol: name,
      candidate_type: name,
      remote_candidate_type: name,
      relay_protocol: name,
      rtt: v.nullable(measure),
    }),
    audio: v.strictObject({
      sent: v.nullable(v.strictObject(sent)),
      received: v.nullable(v.strictObject(received)),
    }),
    video: v.strictObject({
      sent: v.nullable(v.strictObject({ ...sent, ...frameSize, frames: count })),
      received: v.nullable(
        v.strictObject({
          ...received,
          ...frameSize,
          frames: count,
          frames_decoded: count,
          frames_dropped: count,
          freeze_count: v.nullable(count),
          decode_time: v.nullable(measure),
        }),
      ),
    }),
    /** The mean of the interval. Null while the audio has no score. */
    mos: v.nullable(mos),
  }),
});
export type LogsBody = v.InferOutput<typeof logsBody>;
export type StatsLog = LogsBody['log_data'];

/** The level of a line. NONE is not a level of lines. */
export type LineLevel = Exclude<LogLevel, 'NONE'>;
const lineLevel = v.picklist(LOG_LEVELS.filter((level): level is LineLevel => level !== 'NONE'));

/** The body of `POST /v1/sdk/debug_logs`: log lines of a client whose level the exchange set, oldest first. */
export const debugLogsBody = v.strictObject({
  version: v.literal(PROTOCOL_VERSION),
  /** True when the buffer was full and lines before these were dropped. */
  is_overflow_logs: v.boolean(),
  logs: boundedList(
    v.strictObject({
      /** year.month.day hour:minute:second:millisecond, UTC (§9). */
      log_dt: v.pipe(v.string(), v.maxLength(LIMITS.nameChars), v.regex(/^\d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d:\d{3}$/)),
      log_level: lineLevel,
      log_message: v.pipe(v.string(), v.maxLength(LIMITS.logMessageChars)),
    }),
    LIMITS.logEntries,
  ),
});
export type DebugLogsBody = v.InferOutput<typeof debugLogsBody>;
export type DebugLogLine = DebugLogsBody['logs'][number];
