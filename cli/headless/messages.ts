/**
 * The messages between the terminal and its peer host. Both sides validate each message: the host runs native code in
 * another process, and a damaged message or one of another version must not pass as a verdict.
 */
import * as v from 'valibot';
import { END_RESULTS } from '../../src/protocol/enumerations.ts';

export const count = v.pipe(v.number(), v.minValue(0));

/** A user at an exchange. */
export const signedIn = v.object({
  server: v.string(),
  appId: v.string(),
  userId: v.string(),
  token: v.optional(v.string()),
});
export type SignedIn = v.InferOutput<typeof signedIn>;

/** The test signal that a client sends: the tone in hertz and its volume, 0 to 1, and the size of the picture. */
export const signal = v.object({ tone: count, volume: v.optional(count), width: count, height: count, fps: count });

/** The assignment of the host. A process has one. */
export const assignment = v.object({
  type: v.literal('assignment'),
  role: v.picklist(['dial', 'answer']),
  ...signedIn.entries,
  /** The callee, for a dial. */
  peerId: v.optional(v.string()),
  video: v.boolean(),
  media: signal,
  /** How long to stay connected. Default: until the other side hangs up. */
  lengthMs: v.optional(count),
  /** How long to let it ring. Default: that of the library. */
  ringMs: v.optional(count),
  /** The reaction to an incoming call, and its delay. */
  reaction: v.optional(v.picklist(['accept', 'decline', 'ignore', 'wait'])),
  reactAfterMs: v.optional(count),
  /** The only call to react to. Default: any. */
  callId: v.optional(v.string()),
  /** True to wait for further calls. */
  keep: v.optional(v.boolean()),
});
export type Assignment = v.InferOutput<typeof assignment>;

export const hostCommand = v.variant('type', [
  assignment,
  /** Accepts the call that rings, or the next one. For an assignment that waits. */
  v.object({ type: v.literal('accept') }),
  v.object({ type: v.literal('hang-up') }),
]);
export type HostCommand = v.InferOutput<typeof hostCommand>;

/** Decibels below full scale. Null in silence. */
const level = v.nullable(v.number());
/** A share, 0 to 1. Null when nothing was due. */
const share = v.nullable(v.number());
/** Mean opinion score, 1 to 4.5. Null when no sound was due. */
const mos = v.nullable(v.number());
const milliseconds = v.nullable(v.number());
/** Whether media was due: `off` when the other side muted it, `held` when either side holds the call. */
const state = v.picklist(['due', 'off', 'held']);
export type MediaState = v.InferOutput<typeof state>;

/** The sound of one second of a call. */
const audioSecond = v.object({
  state,
  /** Hertz. Null for sound that is not a tone. */
  tone: v.nullable(v.number()),
  /** The share of the second that the tone carried. */
  carried: v.number(),
  level,
  /** Milliseconds without sound at the end of the second. */
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
  /** True when markers were read, and rose. */
  hasGoodMarkers: v.boolean(),
  moved: count,
  freezes: count,
  /** Milliseconds without a frame at the end of the second. */
  stillMs: count,
  loss: share,
});
export type VideoSecond = v.InferOutput<typeof videoSecond>;

/** One second of received media: its end since the call connected, and its length, milliseconds. */
export const second = v.object({
  endMs: count,
  ms: count,
  audio: audioSecond,
  /** Absent in a voice call. */
  video: v.optional(videoSecond),
  rtt: milliseconds,
});
export type Second = v.InferOutput<typeof second>;

/** How long media was due, and how long it was not, milliseconds. */
const expectation = { expectedMs: count, offMs: count, heldMs: count };

/** The sound of a whole call. Windows have 200 ms, and cover the time in which sound was due. */
const audioReading = v.object({
  /** True when sound, or the expected test tone, arrived for most of the time. Null when no sound was due. */
  ok: v.nullable(v.boolean()),
  /** Hertz. Null without sound, and for sound that is not a tone. */
  tone: v.nullable(v.number()),
  share: v.number(),
  windows: count,
  carried: count,
  silent: count,
  level,
  ...expectation,
  /** Seconds with sound, time without sound, and the part of that time at the end. */
  heardMs: count,
  silentMs: count,
  endSilenceMs: count,
  loss: share,
});
export type AudioReading = v.InferOutput<typeof audioReading>;

/** The picture of a whole call, over the time in which it was due. */
const videoReading = v.object({
  /** True when the picture moved, or the markers of the test picture rose, most of the time. Null when none was due. */
  ok: v.nullable(v.boolean()),
  frames: count,
  fps: v.number(),
  width: count,
  height: count,
  markers: count,
  rising: count,
  steps: count,
  missed: v.number(),
  /** The number of frames that differ from the previous one. */
  moved: count,
  freezes: count,
  longestGapMs: count,
  ...expectation,
  /** Seconds in which the picture moved, and the time from the last frame to the end. */
  seenMs: count,
  endGapMs: count,
  loss: share,
});
export type VideoReading = v.InferOutput<typeof videoReading>;

/** Both are absent for a call that never connected. `video` is absent for a voice call. */
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

/** The quality of the sound of a whole call. Missing packets count as lost, and a second without sound scores 1. */
const quality = v.object({
  loss: share,
  /** The median of the seconds, milliseconds. */
  rtt: milliseconds,
  jitter: milliseconds,
  /** The mean of the seconds. */
  mos,
});
export type QualityReport = v.InferOutput<typeof quality>;

const spread = v.nullable(v.object({ p50: v.number(), p95: v.number(), worst: v.number(), worstAtMs: count }));

/** The spread of the seconds: half of them are at least as good as p50, 95 of 100 at least as good as p95. */
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

export const callError = v.object({ code: v.optional(v.number()), name: v.optional(v.string()), message: v.string() });

/** The figures of the media that arrived from one side. */
export const mediaFigures = v.object({ received, quality, seconds });

/** Milliseconds from the dial, or from the incoming ring, to each step that happened. */
const timings = v.object({
  ringing: v.optional(count),
  established: v.optional(count),
  connected: v.optional(count),
  firstFrame: v.optional(count),
  ended: v.optional(count),
});

/** The report of an ended call, which `--json` prints. */
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
  ...mediaFigures.entries,
  connection,
  reconnections: count,
  timings,
  errors: v.array(callError),
});
export type CallReport = v.InferOutput<typeof callReport>;

export const hostEvent = v.variant('type', [
  /** The engine is loaded, and the assignment can be sent. */
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('waiting'), userId: v.string() }),
  v.object({ type: v.literal('dialing'), peer: v.string(), video: v.boolean() }),
  /** The exchange accepted the dial, and no device of the callee rings. */
  v.object({ type: v.literal('unreached'), peer: v.string(), callId: v.string() }),
  /** The channel to the exchange was lost and the library retries, or the channel is open again. */
  v.object({ type: v.literal('channel'), isOpen: v.boolean() }),
  v.object({ type: v.literal('incoming'), peer: v.string(), video: v.boolean() }),
  v.object({ type: v.literal('ringing'), afterMs: count }),
  v.object({ type: v.literal('established'), afterMs: count }),
  v.object({ type: v.literal('connected'), afterMs: count, connection }),
  v.object({ type: v.literal('measured'), second }),
  v.object({ type: v.literal('reconnecting') }),
  v.object({ type: v.literal('reconnected') }),
  v.object({ type: v.literal('ended'), report: callReport }),
  /** No call was made: the exchange did not answer, or refused. */
  v.object({
    type: v.literal('failed'),
    cause: v.picklist(['unreachable', 'refused', 'engine', 'internal']),
    message: v.string(),
    error: callError,
  }),
]);
export type HostEvent = v.InferOutput<typeof hostEvent>;
