/** The messages between the terminal and its room host. Both sides validate each message, as those of calls. */
import * as v from 'valibot';
import { roomType } from '../../../src/protocol/room-entities.ts';
import { callError, count, mediaFigures, second, signal, signedIn } from '../messages.ts';

/** A stay in a room, with a meter for each participant. A process has one. */
const visit = v.object({
  type: v.literal('visit'),
  ...signedIn.entries,
  roomId: v.string(),
  /** False enters with the microphone and the camera off. */
  publishes: v.boolean(),
  /** False sends and shows no picture. */
  video: v.boolean(),
  media: signal,
  /** True removes the other clients of the user from the room. */
  kickSiblings: v.boolean(),
  /** How long to stay. Default: until the command to leave. */
  lengthMs: v.optional(count),
});
export type Visit = v.InferOutput<typeof visit>;

/** Simulated participants of a room. They send a test signal, and receive nothing. */
const crowd = v.object({
  type: v.literal('crowd'),
  rooms: v.array(
    v.object({
      roomId: v.string(),
      video: v.boolean(),
      /** A participant for each. The same user may be there several times. */
      members: v.array(v.object({ ...signedIn.entries, media: signal })),
    }),
  ),
  /** True lets one microphone after the other be on, as in a conversation. */
  takesTurns: v.boolean(),
  /** True sends only while a client that is none of the crowd is in the room. */
  sleeps: v.boolean(),
});
export type Crowd = v.InferOutput<typeof crowd>;

export const roomCommand = v.variant('type', [visit, crowd, v.object({ type: v.literal('leave') })]);
export type RoomCommand = v.InferOutput<typeof roomCommand>;

const member = v.object({ participantId: v.string(), user: v.string() });

/** One second of the media of a participant. Null before the media arrives. */
const measuredMember = v.object({ ...member.entries, second: v.nullable(second) });
export type MeasuredMember = v.InferOutput<typeof measuredMember>;

/** The media of one participant over the whole stay. */
const memberReport = v.object({
  ...member.entries,
  ...mediaFigures.entries,
  /** Milliseconds from the entry of this client to the first picture of the participant. Null without a picture. */
  firstFrame: v.nullable(count),
});
export type MemberReport = v.InferOutput<typeof memberReport>;

/** The reasons why a stay ended. */
const STAY_RESULTS = ['left', 'deleted', 'kicked', 'lost'] as const;

/** The report of a stay, which `--json` prints. */
const roomReport = v.object({
  result: v.picklist(STAY_RESULTS),
  roomId: v.string(),
  roomType,
  user: v.string(),
  /** Milliseconds in the room. */
  duration: count,
  participants: v.array(memberReport),
  /** The mixed sound of a large room. Absent in a small one. */
  mix: v.optional(mediaFigures),
  reconnections: count,
  errors: v.array(callError),
});
export type RoomReport = v.InferOutput<typeof roomReport>;

export const roomHostEvent = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({
    type: v.literal('entered'),
    roomId: v.string(),
    roomType,
    user: v.string(),
    participants: v.array(member),
    afterMs: count,
  }),
  v.object({ type: v.literal('arrived'), ...member.entries }),
  v.object({ type: v.literal('departed'), ...member.entries }),
  v.object({ type: v.literal('channel'), isOpen: v.boolean() }),
  v.object({ type: v.literal('disconnected') }),
  v.object({ type: v.literal('reconnected') }),
  v.object({
    type: v.literal('measured'),
    endMs: count,
    participants: v.array(measuredMember),
    mix: v.optional(v.nullable(second)),
  }),
  v.object({ type: v.literal('left'), report: roomReport }),
  /** The crowd is in its rooms. */
  v.object({ type: v.literal('gathered'), count }),
  /** A room of the crowd is over for it: deleted, or lost. */
  v.object({ type: v.literal('dispersed'), roomId: v.string() }),
  v.object({
    type: v.literal('failed'),
    cause: v.picklist(['unreachable', 'refused', 'engine', 'internal']),
    message: v.string(),
    error: callError,
  }),
]);
export type RoomHostEvent = v.InferOutput<typeof roomHostEvent>;
