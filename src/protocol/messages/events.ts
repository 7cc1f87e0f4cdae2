/** The events that the exchange sends, one schema each, by group and type (§3, §7). */
import * as v from 'valibot';
import { endResult, logLevel } from '../enumerations.ts';
import {
  callId,
  callUser,
  capabilities,
  constraints,
  relayCredential,
  signalSnapshot,
  user,
  userId,
} from '../entities.ts';
import { COMMANDS } from './commands.ts';

/**
 * The end of a call. `ended_by` is null when no user ended it (a time-out, a lost leg). Times are milliseconds since
 * the epoch. `duration` is milliseconds since both sides were connected, 0 when they never were.
 */
const over = v.object({
  call_id: callId,
  end_result: endResult,
  ended_by: v.nullable(user),
  ended_at: v.number(),
  duration: v.pipe(
    v.number(),
    v.transform((ms) => Math.max(0, ms)),
  ),
});
export type EndedPayload = v.InferOutput<typeof over>;

export const EVENTS = {
  CALL: {
    /** An incoming call. `short_lived_token` authorises the dial-received request without a session. */
    dial: v.object({
      call_id: callId,
      is_video_call: v.boolean(),
      caller: callUser,
      callee: callUser,
      turn_credential: relayCredential,
      constraints,
      custom_items: v.record(v.string(), v.string()),
      short_lived_token: v.string(),
      capabilities,
      created_at: v.number(),
    }),
    /** To the caller: a device of the callee got the ring. */
    dial_rcv: v.object({ call_id: callId }),
    /** To the caller: the callee accepted, with the callee's media and a fresh credential. */
    accept: v.object({
      call_id: callId,
      turn_credential: relayCredential,
      audio: v.boolean(),
      video: v.boolean(),
      capabilities,
    }),
    other_device_accepted: v.object({ call_id: callId }),
    cancel: over,
    decline: over,
    end: over,
    timeout: over,
    connection_lost: over,
    no_answer: over,
    /** The exchange ended the call for an unknown reason. */
    unknown_end: over,
    hold: v.object({
      call_id: callId,
      holded_by: userId,
      is_peer_on_hold: v.boolean(),
      is_relayed: v.boolean(),
    }),
    custom_items_update: v.object({
      call_id: callId,
      custom_items: v.record(v.string(), v.string()),
      updated: v.array(v.string()),
      affected_at: v.number(),
    }),
    custom_items_delete: v.object({
      call_id: callId,
      custom_items: v.record(v.string(), v.string()),
      deleted: v.array(v.string()),
      affected_at: v.number(),
    }),
    /**
     * A new relay credential. With `is_renewal` the relay and the connection stay: the credential is for later
     * gathering (ADR 0024). Without it the call moves to another connection.
     */
    turn_changed: v.object({
      call_id: callId,
      turn_credential: relayCredential,
      event_id: v.string(),
      is_renewal: v.optional(v.boolean()),
    }),
  },
  SGNL: {
    offer: COMMANDS.SGNL.offer,
    answer: COMMANDS.SGNL.answer,
    candidate: COMMANDS.SGNL.candidate,
    remove_candidates: COMMANDS.SGNL.remove_candidates,
    connected: v.object({ call_id: callId, reconnect: v.boolean() }),
    /** The known state of the other side, sent when a device with a live call has reconnected to the channel. */
    snapshot: v.object({ call_id: callId, signal_seq: v.number(), signal_snapshot: signalSnapshot }),
  },
  COMM: {
    audio: COMMANDS.COMM.audio,
    video: COMMANDS.COMM.video,
    recording: COMMANDS.COMM.recording,
  },
  UTIL: {
    /** Sets the level of uploaded logs. */
    log_level: v.object({ level: logLevel }),
  },
} as const;

type Groups = typeof EVENTS;
type EventOf<G extends keyof Groups> = {
  [T in keyof Groups[G]]: Groups[G][T] extends v.GenericSchema
    ? { readonly cmd: G; readonly type: T; readonly payload: v.InferOutput<Groups[G][T]> }
    : never;
}[keyof Groups[G]];

/** Any event, discriminated by `type`. */
export type ServerEvent = { [G in keyof Groups]: EventOf<G> }[keyof Groups];
export type ServerEventType = ServerEvent['type'];
export type ServerEventPayload<T extends ServerEventType> = Extract<ServerEvent, { type: T }>['payload'];
/** An event about one call: any event except the log level. */
export type CallEvent = Exclude<ServerEvent, { type: 'log_level' }>;
