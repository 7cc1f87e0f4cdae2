/**
 * What the terminal and its peer host tell each other. Both sides check what they receive: the host runs native code in
 * another process, and a message damaged or from another version must not pass for a verdict.
 */
import * as v from 'valibot';
import { END_RESULTS } from '../../src/protocol/enumerations.ts';

const count = v.pipe(v.number(), v.minValue(0));

/** What the host is to do; one assignment a process. */
export const assignment = v.object({
  type: v.literal('assignment'),
  role: v.picklist(['dial', 'answer']),
  server: v.string(),
  appId: v.string(),
  userId: v.string(),
  token: v.optional(v.string()),
  /** The callee, for a dial. */
  peerId: v.optional(v.string()),
  video: v.boolean(),
  media: v.object({ tone: count, width: count, height: count, fps: count }),
  /** How long to stay connected; without it, until the other side hangs up. */
  lengthMs: v.optional(count),
  /** How long to let it ring, when not the library's default. */
  ringMs: v.optional(count),
  /** What to do with an incoming call, and after how long. */
  reaction: v.optional(v.picklist(['accept', 'decline', 'ignore', 'wait'])),
  reactAfterMs: v.optional(count),
  /** The only call there is to react to; any, where it is not said. */
  callId: v.optional(v.string()),
  /** Stay for further calls. */
  keep: v.optional(v.boolean()),
});
export type Assignment = v.InferOutput<typeof assignment>;

export const hostCommand = v.variant('type', [
  assignment,
  /** Takes the call that rings, or the one that is going to: for who waits. */
  v.object({ type: v.literal('accept') }),
  v.object({ type: v.literal('hang-up') }),
]);
export type HostCommand = v.InferOutput<typeof hostCommand>;

const audioReading = v.object({
  /** Hertz; null when nothing but noise or silence came. */
  tone: v.nullable(v.number()),
  share: v.number(),
  windows: count,
  carried: count,
  silent: count,
  ok: v.boolean(),
});
export type AudioReading = v.InferOutput<typeof audioReading>;

const videoReading = v.object({
  frames: count,
  fps: v.number(),
  width: count,
  height: count,
  markers: count,
  rising: count,
  steps: count,
  missed: v.number(),
  freezes: count,
  longestGapMs: count,
  ok: v.boolean(),
});
export type VideoReading = v.InferOutput<typeof videoReading>;

const received = v.object({ audio: v.optional(audioReading), video: v.optional(videoReading) });
const sent = v.object({
  audio: v.object({ tone: count, packets: count, bytes: count }),
  video: v.optional(v.object({ width: count, height: count, fps: count, packets: count, bytes: count })),
});

const connection = v.object({
  audioCodec: v.nullable(v.string()),
  videoCodec: v.nullable(v.string()),
  candidatePair: v.nullable(
    v.object({ local: v.string(), remote: v.string(), protocol: v.string(), relayProtocol: v.optional(v.string()) }),
  ),
});
export type ConnectionReport = v.InferOutput<typeof connection>;

const quality = v.object({
  /** Lost packets as a share, 0 to 1. */
  loss: v.number(),
  /** Milliseconds. */
  rtt: v.nullable(v.number()),
  jitter: v.nullable(v.number()),
  mos: v.nullable(v.number()),
});
export type QualityReport = v.InferOutput<typeof quality>;

const callError = v.object({ code: v.optional(v.number()), name: v.optional(v.string()), message: v.string() });

/** Milliseconds from the dial, or from the incoming ring, to each step that happened. */
const timings = v.object({
  ringing: v.optional(count),
  established: v.optional(count),
  connected: v.optional(count),
  firstFrame: v.optional(count),
  ended: v.optional(count),
});

/** A finished call: what `--json` prints. */
export const callReport = v.object({
  result: v.picklist(END_RESULTS),
  callId: v.nullable(v.string()),
  role: v.picklist(['caller', 'callee']),
  user: v.string(),
  peer: v.string(),
  video: v.boolean(),
  endedBy: v.nullable(v.string()),
  /** Milliseconds connected. */
  duration: count,
  sent,
  received,
  connection,
  quality,
  reconnections: count,
  timings,
  errors: v.array(callError),
});
export type CallReport = v.InferOutput<typeof callReport>;

export const hostEvent = v.variant('type', [
  /** The engine is loaded, the assignment can come. */
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('waiting'), userId: v.string() }),
  v.object({ type: v.literal('dialing'), peer: v.string(), video: v.boolean() }),
  v.object({ type: v.literal('incoming'), peer: v.string(), video: v.boolean() }),
  v.object({ type: v.literal('ringing'), afterMs: count }),
  v.object({ type: v.literal('established'), afterMs: count }),
  v.object({ type: v.literal('connected'), afterMs: count, connection }),
  v.object({ type: v.literal('measured'), elapsedMs: count, received, quality, connection }),
  v.object({ type: v.literal('reconnecting') }),
  v.object({ type: v.literal('reconnected') }),
  v.object({ type: v.literal('ended'), report: callReport }),
  /** No call came about: the exchange is not there, or refused. */
  v.object({
    type: v.literal('failed'),
    cause: v.picklist(['unreachable', 'refused', 'engine', 'internal']),
    message: v.string(),
    error: callError,
  }),
]);
export type HostEvent = v.InferOutput<typeof hostEvent>;
