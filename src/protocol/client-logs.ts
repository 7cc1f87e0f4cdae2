/** What clients tell of themselves: the statistics of a call while it is connected, and the lines of their log (§3, §7). */
import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { callId, count, measure, mos, userId } from './entities.ts';
import { directCallRole, LOG_LEVELS, type LogLevel } from './enumerations.ts';
import { LIMITS, PROTOCOL_VERSION } from './limits.ts';

/** What an engine calls a thing: a codec, a kind of network. */
const name = v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.nameChars)));

const sent = {
  codec: name,
  packets: count,
  bytes: count,
  /** What the other side reports of this stream; null until its first report. */
  reported: v.nullable(v.strictObject({ packets_lost: count, jitter: v.nullable(measure), rtt: v.nullable(measure) })),
};

const received = {
  codec: name,
  packets: count,
  bytes: count,
  packets_lost: count,
  jitter: v.nullable(measure),
  /** Mean wait in the jitter buffer. */
  jitter_buffer: v.nullable(measure),
};

const frameSize = { frame_width: v.nullable(measure), frame_height: v.nullable(measure), fps: v.nullable(measure) };

/**
 * The body of `POST /v1/sdk/logs` (§3, stats log fields): the newest statistics, once each stats interval of a connected
 * call. Counters run from the start of the peer connection; times are milliseconds; null is what is not known.
 */
export const logsBody = v.strictObject({
  log_group: v.literal('call_stats'),
  log_data: v.strictObject({
    app_id: v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.idChars)),
    /** chrome, edge, firefox, safari and the like; `other` where it cannot be told. */
    browser_type: v.pipe(v.string(), v.minLength(1), v.maxLength(32)),
    call_id: callId,
    /** The device's own time of day, milliseconds since the epoch. */
    device_timestamp: measure,
    role: directCallRole,
    caller_id: userId,
    callee_id: userId,
    is_video_call: v.boolean(),
    metadata: v.strictObject({
      /** Measurements taken since the log before, the last of them told here. */
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
    /** The mean of the interval; null while the audio cannot be scored. */
    mos: v.nullable(mos),
  }),
});
export type LogsBody = v.InferOutput<typeof logsBody>;
export type StatsLog = LogsBody['log_data'];

/** A level that a line can have: NONE is none. */
export type LineLevel = Exclude<LogLevel, 'NONE'>;
const lineLevel = v.picklist(LOG_LEVELS.filter((level): level is LineLevel => level !== 'NONE'));

/** The body of `POST /v1/sdk/debug_logs`: lines of the log of a client whose level the exchange set, the oldest first. */
export const debugLogsBody = v.strictObject({
  version: v.literal(PROTOCOL_VERSION),
  /** Lines were lost before these: more came than are kept. */
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
