/** The replies of the exchange, one schema each. A command without its own entry is acknowledged with its call id. */
import * as v from 'valibot';
import { directCallRole } from '../enumerations.ts';
import { callId, callUser, relayCredential, signalSnapshot } from '../entities.ts';
import type { CommandType } from './commands.ts';

const acknowledged = v.object({ call_id: callId });

/** An entry of the list of calls that have not ended (§3, command-list response). */
export const unendedCall = v.object({
  call_id: callId,
  call_type: v.literal('direct'),
  user_role: directCallRole,
  caller_client_id: v.string(),
  callee_client_id: v.nullable(v.string()),
  signal_seq: v.number(),
  signal_snapshot: signalSnapshot,
});
export type UnendedCall = v.InferOutput<typeof unendedCall>;

export const REPLIES = {
  dial: v.object({
    call_id: callId,
    caller: callUser,
    callee: callUser,
    turn_credential: relayCredential,
    custom_items: v.record(v.string(), v.string()),
    created_at: v.number(),
  }),
  accept: v.object({ call_id: callId, turn_credential: relayCredential }),
  cancel: acknowledged,
  decline: acknowledged,
  end: acknowledged,
  timeout: acknowledged,
  connection_lost: acknowledged,
  no_answer: acknowledged,
  hold: v.object({ call_id: callId, is_on_hold: v.boolean() }),
  dial_rcv: acknowledged,
  offer: acknowledged,
  answer: acknowledged,
  candidate: acknowledged,
  remove_candidates: acknowledged,
  /** `alive_at` is the exchange's time, milliseconds since the epoch. */
  alive: v.object({ call_id: callId, alive_at: v.number() }),
  connected: acknowledged,
  audio: acknowledged,
  video: acknowledged,
  recording: acknowledged,
  unended_calls: v.object({ calls: v.array(unendedCall) }),
  /** `alive_at` is the exchange's time, milliseconds since the epoch. */
  heartbeat: v.object({ alive_at: v.number() }),
} as const satisfies Record<CommandType, v.GenericSchema>;

export type ReplyPayload<T extends CommandType> = v.InferOutput<(typeof REPLIES)[T]>;
