/** The stored form of a live call, from which a restarted exchange continues the call. */
import * as v from 'valibot';
import {
  callId,
  capabilities,
  constraints,
  customItems,
  user,
  userId,
  webhookTarget,
} from '../../../src/protocol/entities.ts';
import { endResult, recordingStatus } from '../../../src/protocol/enumerations.ts';
import type { Clock } from '../../../src/common/clock.ts';

/** A number of milliseconds. */
const time = v.pipe(v.number(), v.finite());

/**
 * One moment on two clocks, in milliseconds. `at` is the wall time of records. `clock` is a reading of the monotonic
 * clock of the process, which measures durations.
 */
const moment = v.object({ at: time, clock: time });
export type Moment = v.InferOutput<typeof moment>;

const clientId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

const liveLeg = v.object({
  side: v.picklist(['caller', 'callee']),
  userId,
  clientId,
  capabilities,
  media: constraints,
  recording: recordingStatus,
  onHold: v.boolean(),
  connectedAt: v.nullable(moment),
  hasDescribed: v.boolean(),
  outcome: v.nullable(endResult),
  /** The id of the request that made the leg a side of the call. A repeated request gets the same answer. */
  request: v.nullable(v.string()),
  /** A hash of the token of the device's session. Null without a session. */
  session: v.nullable(v.string()),
  /** When the former exchange last saw the call. Null after the leg has sent something to this exchange. */
  lost: v.nullable(moment),
  /** The numbers of the oldest and the newest kept signal. The newest is 0 before the first. */
  firstSignal: v.pipe(v.number(), v.safeInteger()),
  lastSignal: v.pipe(v.number(), v.safeInteger()),
});

/**
 * The state of a call, without its signals. It has no clear session token, no short-lived token and no relay password.
 * It has the headers of the webhook, since the last event needs them.
 */
export const liveCall = v.object({
  callId,
  isVideoCall: v.boolean(),
  customItems,
  itemsAffectedAt: time,
  constraints,
  createdAt: time,
  callerUser: user,
  calleeUser: user,
  dialReceived: v.boolean(),
  webhook: v.nullable(webhookTarget),
  /** When media began as the exchange observed it. Null before. */
  begunAt: v.nullable(moment),
  state: v.variant('name', [
    v.object({ name: v.literal('ringing'), since: moment }),
    v.object({ name: v.literal('accepted'), since: moment, callee: clientId }),
    v.object({ name: v.literal('connected'), since: moment, callee: clientId }),
  ]),
  /** The caller's leg first. */
  legs: v.array(liveLeg),
});
export type LiveCall = v.InferOutput<typeof liveCall>;
export type LiveLeg = LiveCall['legs'][number];

/** A signal of a leg: the text of its frame, without secrets. */
export interface LiveSignal {
  readonly callId: string;
  readonly side: 'caller' | 'callee';
  readonly clientId: string;
  readonly sequence: number;
  readonly frame: string;
}

/** Returns the current time of both clocks. */
export const momentOf = (clock: Pick<Clock, 'wallTime' | 'now'>): Moment => ({
  at: clock.wallTime(),
  clock: clock.now(),
});

/** Returns the milliseconds between two moments of the same process, never below 0. */
export const lengthOf = (from: Moment, to: Moment): number => Math.max(0, Math.round(to.clock - from.clock));

/**
 * Returns the wall time of an end, milliseconds since the epoch. When the wall clock was set back meanwhile, it is the
 * start and the duration: no record ends before it began (I8).
 */
export const endOf = (from: Moment, to: Moment): number => Math.max(to.at, from.at + lengthOf(from, to));
