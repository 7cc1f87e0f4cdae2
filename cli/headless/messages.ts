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

/** Decibels below full scale; null in silence. */
const level = v.nullable(v.number());
/** A share, 0 to 1; null where nothing ought to have come. */
const share = v.nullable(v.number());
/** Mean opinion score, 1 to 4.5; null where no sound ought to have come. */
const mos = v.nullable(v.number());
const milliseconds = v.nullable(v.number());
/** Whether media ought to come: it is `off` where the other side muted it, `held` where either side holds the call. */
const state = v.picklist(['due', 'off', 'held']);
export type MediaState = v.InferOutput<typeof state>;

/** The sound of one second of a call. */
const audioSecond = v.object({
  state,
  /** Hertz; null where the sound is no tone. */
  tone: v.nullable(v.number()),
  /** Share of the second that the tone carried. */
  carried: v.number(),
  level,
  /** Milliseconds without sound by the end of the second. */
  silentMs: count,
  loss: share,
  jitter: milliseconds,
  mos,
});
export type AudioSecond = v.InferOutput<typeof audioSecond>;

/** The picture of one second of a call. */
const videoSecond = v.object({
  state,
  frames: count,
  fps: count,
  width: count,
  height: count,
  markers: count,
  /** Markers were read, and rose. */
  hasGoodMarkers: v.boolean(),
  moved: count,
  freezes: count,
  /** Milliseconds without a frame by the end of the second. */
  stillMs: count,
  loss: share,
});
export type VideoSecond = v.InferOutput<typeof videoSecond>;

/** One second of a call, as it was received: its end since the call connected, and its length, milliseconds. */
const second = v.object({
  endMs: count,
  ms: count,
  audio: audioSecond,
  /** Absent in a voice call. */
  video: v.optional(videoSecond),
  rtt: milliseconds,
});
export type Second = v.InferOutput<typeof second>;

/** How long media ought to have come, and how long it did not have to, milliseconds. */
const expectation = { expectedMs: count, offMs: count, heldMs: count };

/** The sound of a whole call. Windows are of 200 ms, and of the time in which sound ought to have come. */
const audioReading = v.object({
  /** Sound came for most of the time; of a test tone, the tone itself. Null where no sound ought to have come. */
  ok: v.nullable(v.boolean()),
  /** Hertz; null where the sound was no tone, or there was none. */
  tone: v.nullable(v.number()),
  share: v.number(),
  windows: count,
  carried: count,
  silent: count,
  level,
  ...expectation,
  /** Seconds in which there was sound; time without sound; the part of it that lasted until the end. */
  heardMs: count,
  silentMs: count,
  endSilenceMs: count,
  loss: share,
});
export type AudioReading = v.InferOutput<typeof audioReading>;

/** The picture of a whole call, over the time in which it ought to have come. */
const videoReading = v.object({
  /** The picture moved for most of the time; of the test picture, its markers rose. Null where none ought to have come. */
  ok: v.nullable(v.boolean()),
  frames: count,
  fps: v.number(),
  width: count,
  height: count,
  markers: count,
  rising: count,
  steps: count,
  missed: v.number(),
  /** Frames that differ from the one before. */
  moved: count,
  freezes: count,
  longestGapMs: count,
  ...expectation,
  /** Seconds in which the picture moved; the time from the last frame to the end. */
  seenMs: count,
  endGapMs: count,
  loss: share,
});
export type VideoReading = v.InferOutput<typeof videoReading>;

/** Both are absent of a call that never connected, and `video` of a voice call. */
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

/** The quality of the sound over a whole call: what is missing counts as lost, and a second without sound scores 1. */
const quality = v.object({
  loss: share,
  /** Those of a typical second, milliseconds. */
  rtt: milliseconds,
  jitter: milliseconds,
  /** The mean of the seconds. */
  mos,
});
export type QualityReport = v.InferOutput<typeof quality>;

const spread = v.nullable(v.object({ p50: v.number(), p95: v.number(), worst: v.number(), worstAtMs: count }));

/** How the seconds of a call compare: half of them are at least as good as p50, 95 of 100 at least as good as p95. */
const seconds = v.object({
  count,
  mos: spread,
  loss: spread,
  jitter: spread,
  rtt: spread,
  fps: spread,
  videoLoss: spread,
});
export type SecondsReport = v.InferOutput<typeof seconds>;

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
  seconds,
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
  /** The exchange took the dial, and no device of the callee rings. */
  v.object({ type: v.literal('unreached'), peer: v.string() }),
  /** The channel to the exchange was lost, and the library tries again; or it is back. */
  v.object({ type: v.literal('channel'), isOpen: v.boolean() }),
  v.object({ type: v.literal('incoming'), peer: v.string(), video: v.boolean() }),
  v.object({ type: v.literal('ringing'), afterMs: count }),
  v.object({ type: v.literal('established'), afterMs: count }),
  v.object({ type: v.literal('connected'), afterMs: count, connection }),
  v.object({ type: v.literal('measured'), second }),
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
