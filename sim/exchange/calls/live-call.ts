/** A call that goes on, as the store keeps it: what an exchange that starts again needs to go on with it. */
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

/** A number of milliseconds. */
const time = v.pipe(v.number(), v.finite());

/**
 * One moment on two clocks, in milliseconds: `at` is the wall time of records, `clock` a reading of the monotonic clock of
 * the process, from which lengths are measured.
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
  /** The request that made the leg a side of the call: where it comes again, it gets the same answer. */
  request: v.nullable(v.string()),
  /** A hash of the token of the device's session; null where there is none. */
  session: v.nullable(v.string()),
  /** When the exchange that stopped last saw the call; null where the leg has been heard of since. */
  lost: v.nullable(moment),
  /** The numbers of the oldest and the newest signal that are kept; the newest is 0 before the first. */
  firstSignal: v.pipe(v.number(), v.safeInteger()),
  lastSignal: v.pipe(v.number(), v.safeInteger()),
});

/**
 * The state of a call, without its signals. It holds no session token in clear, no short-lived token and no relay
 * password. The headers of the webhook are kept, since its last event needs them.
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
  /** When media began, by what the exchange observed; null before. */
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
