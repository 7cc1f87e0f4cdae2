/**
 * The commands of a client, one schema each, by group and type (§7). The reply to a command `x` has the type `x_ack`.
 * Its schema is in replies.ts.
 */
import * as v from 'valibot';
import { boundedList } from '../bounded-list.ts';
import { recordingStatus, recordingType, timeoutReason } from '../enumerations.ts';
import {
  callId,
  candidate,
  capabilities,
  chatChannel,
  constraints,
  customItems,
  userId,
  webhookTarget,
} from '../entities.ts';
import { LIMITS } from '../limits.ts';

const aboutCall = v.object({ call_id: callId });

const compressedSdp = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.compressedSdpChars));
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.idChars));
const name = v.pipe(v.string(), v.maxLength(LIMITS.nameChars));
const peerConnectionId = v.optional(id);
const description = v.object({
  call_id: callId,
  sdp: compressedSdp,
  peer_connection_id: peerConnectionId,
  /** The offer that this message is or answers, within its connection. The other side also answers without it. */
  offer_id: v.optional(id),
});
const enabled = v.object({ call_id: callId, is_enabled: v.boolean() });

const dial = v.object({
  callee_id: userId,
  is_video_call: v.boolean(),
  custom_items: v.optional(customItems),
  sb_chat: v.optional(chatChannel),
  constraints,
  capabilities,
  webhook: v.optional(webhookTarget),
});

/** The commands by group and type. A type is in one group only. */
export const COMMANDS = {
  CALL: {
    dial,
    accept: v.object({ call_id: callId, constraints, capabilities }),
    cancel: aboutCall,
    decline: aboutCall,
    /** `was_connected`: the sender had media. Its report of that may come later than this, or be lost. Default: false. */
    end: v.object({ call_id: callId, was_connected: v.optional(v.boolean()) }),
    timeout: v.object({ call_id: callId, reason: timeoutReason }),
    connection_lost: aboutCall,
    no_answer: aboutCall,
    hold: v.object({ call_id: callId, is_on_hold: v.boolean(), was_relayed: v.boolean() }),
    /** Dial-received: the callee's device got the ring. Sent over HTTP with the short-lived token of the dial. */
    dial_rcv: v.object({
      call_id: callId,
      callee_delivery_info: v.object({ channel: name }),
      received_type: v.picklist(['websocket', 'push', 'webhook', 'missed_signal']),
    }),
  },
  SGNL: {
    offer: description,
    answer: description,
    candidate: v.object({ call_id: callId, candidate, peer_connection_id: peerConnectionId }),
    remove_candidates: v.object({
      call_id: callId,
      candidates: boundedList(candidate, LIMITS.candidatesPerLeg),
      peer_connection_id: peerConnectionId,
    }),
    alive: aboutCall,
    connected: v.object({
      call_id: callId,
      connection: v.object({
        connection_type: name,
        relay_protocol: v.nullable(name),
        protocol: v.nullable(name),
      }),
      reconnect: v.boolean(),
    }),
  },
  COMM: {
    audio: enabled,
    video: enabled,
    recording: v.object({
      call_id: callId,
      recording_id: v.pipe(v.string(), v.maxLength(LIMITS.idChars)),
      recording_type: recordingType,
      recording_status: recordingStatus,
    }),
  },
  UTIL: {
    /** Lists the calls of this user that have not ended. Sent after the channel has reconnected (§4). */
    unended_calls: v.object({}),
    /** Requests a sign of life from the exchange, and renews the use of the client's session (ADR 0024). */
    heartbeat: v.object({}),
  },
} as const;

type Groups = typeof COMMANDS;
type CommandOf<G extends keyof Groups> = {
  [T in keyof Groups[G]]: Groups[G][T] extends v.GenericSchema
    ? { readonly cmd: G; readonly type: T; readonly payload: v.InferOutput<Groups[G][T]> }
    : never;
}[keyof Groups[G]];

/** Any command, discriminated by `type`. */
export type Command = { [G in keyof Groups]: CommandOf<G> }[keyof Groups];
export type CommandType = Command['type'];
export type CommandPayload<T extends CommandType> = Extract<Command, { type: T }>['payload'];
