/**
 * The actions of users whose devices were not recorded, inferred from what the other side received. So a call between
 * a recorded client and another one is replayed with both.
 */
import type { Command, Fact, Payload, Request, Signal } from './facts.ts';
import { textOf } from './facts.ts';
import { type RecordedUsers, userIn } from './recorded-users.ts';

/** Commands that the exchange forwards to the other side unchanged. */
const PASSED_ON = ['offer', 'answer', 'audio', 'video', 'recording', 'connected'];
const ENDINGS = ['cancel', 'decline', 'end', 'no_answer', 'timeout', 'connection_lost'];

/** Returns the facts with the call id in each dial that was never acknowledged, if it rang at another device. */
export function claimed(facts: readonly Fact[], users: RecordedUsers): Fact[] {
  const known = new Set(
    facts.flatMap((fact) => (fact.kind === 'command' && fact.type === 'dial' ? [fact.callId] : [])),
  );
  return facts.map((fact) => {
    if (fact.kind !== 'command' || fact.type !== 'dial' || fact.callId !== '') return fact;
    const rung = facts.find(
      (other) =>
        other.kind === 'signal' &&
        other.type === 'dial' &&
        other.at >= fact.at &&
        userIn(other.payload, 'caller') === users.userOf(fact.device) &&
        !known.has(other.callId),
    );
    if (rung?.kind !== 'signal') return fact;
    known.add(rung.callId);
    return { ...fact, callId: rung.callId };
  });
}

/** Returns the facts with the inferred ones, each before its first effect. */
export function withUnseen(facts: readonly Fact[], users: RecordedUsers): Fact[] {
  const sides = new Map<string, { caller: string; callee: string }>();
  const dialled = new Set<string>();
  const rung = new Set<string>();
  return facts.flatMap((fact): Fact[] => {
    if (fact.kind === 'command' && fact.type === 'dial') {
      dialled.add(fact.callId);
      sides.set(fact.callId, { caller: users.userOf(fact.device), callee: textOf(fact.payload['callee_id']) });
    }
    if (fact.kind !== 'signal') return [fact];
    if (fact.type === 'dial' && !dialled.has(fact.callId)) {
      const caller = userIn(fact.payload, 'caller');
      if (caller === undefined || users.isRecorded(caller)) return [fact];
      dialled.add(fact.callId);
      sides.set(fact.callId, { caller, callee: users.userOf(fact.device) });
      return [dialOf(fact, users.actorOf(caller), users.userOf(fact.device)), fact];
    }
    const own = users.userOf(fact.device);
    const both = sides.get(fact.callId);
    const other = both?.caller === own ? both.callee : both?.caller;
    if (other === undefined || users.isRecorded(other)) return [fact];
    // A device that answers must have received a ring.
    const ringing = rung.has(fact.callId) || both?.callee !== other ? [] : [ringOf(fact, users.actorOf(other))];
    rung.add(fact.callId);
    const unseen = actOf(fact, users.actorOf(other), other, both?.caller === other);
    return [...ringing, ...(unseen ? [unseen] : []), fact];
  });
}

function dialOf({ at, callId, payload }: Signal, device: string, callee: string): Command {
  const { is_video_call, constraints, custom_items } = payload;
  return command(at, device, 'dial', callId, {
    callee_id: callee,
    is_video_call,
    constraints,
    ...(Object.keys(custom_items ?? {}).length > 0 ? { custom_items } : {}),
  });
}

const ringOf = ({ at, callId }: Signal, device: string): Signal => ({
  kind: 'signal',
  at,
  device,
  type: 'dial',
  callId,
  payload: {},
});

function actOf(signal: Signal, device: string, user: string, isCaller: boolean): Command | Request | undefined {
  const { at, type, callId, payload } = signal;
  const make = (name: string, fields: Payload) => command(at, device, name, callId, { call_id: callId, ...fields });
  if (PASSED_ON.includes(type)) return make(type, payload);
  if (ENDINGS.includes(type)) {
    // An end by a timer names no user. A call that rings in vain is ended by the caller.
    const endedBy = userIn(payload, 'ended_by');
    const isTheirs = endedBy === user || (endedBy === undefined && (type !== 'no_answer' || isCaller));
    return isTheirs ? make(type, {}) : undefined;
  }
  switch (type) {
    case 'accept':
      return make('accept', { constraints: { audio: payload['audio'], video: payload['video'] } });
    case 'hold':
      return payload['holded_by'] === user ? make('hold', { is_on_hold: payload['is_peer_on_hold'] }) : undefined;
    case 'custom_items_update':
    case 'custom_items_delete':
      return itemsRequest(signal, device);
    default:
      return undefined;
  }
}

function itemsRequest({ at, type, callId, payload }: Signal, device: string): Request {
  const path = `/v1/direct_calls/${encodeURIComponent(callId)}/custom_items`;
  const items = (payload['custom_items'] ?? {}) as Readonly<Record<string, unknown>>;
  const asked =
    type === 'custom_items_update'
      ? {
          method: 'PUT',
          body: {
            custom_items: Object.fromEntries(
              Object.entries(items).filter(([key]) => (payload['updated'] as string[] | undefined)?.includes(key)),
            ),
          },
        }
      : { method: 'DELETE', body: { keys: payload['deleted'] } };
  return { kind: 'request', at, device, path, ...asked, answer: { at, body: {} }, unseen: true };
}

const command = (at: number, device: string, type: string, callId: string, payload: Payload): Command => ({
  kind: 'command',
  at,
  device,
  type,
  callId,
  payload,
  reply: { at, payload: { call_id: callId } },
  unseen: true,
});
