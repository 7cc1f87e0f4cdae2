/**
 * The last steps of a scenario: the number of messages of each type on the wire, from any device and with any call
 * id.
 */
import { TIMES } from '../../../src/protocol/limits.ts';
import { type CallStory, wantedMedia } from './calls.ts';
import { callName, type Line } from './compose.ts';
import type { Command, Fact, Payload } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';

/** Commands of users: they are counted exactly. */
const COUNTED = ['accept', 'cancel', 'decline', 'end', 'no_answer', 'timeout', 'connection_lost', 'hold', 'recording'];
/** Messages that the library repeats on a slow network: they are expected at least once. */
const REPEATED = ['audio', 'video', 'offer', 'answer', 'connected'];
/** The time that messages in transit have to arrive when the story ends. Milliseconds. */
const SETTLING_MS = 500;

export function wireChecks(facts: readonly Fact[], calls: readonly CallStory[], users: RecordedUsers): Line[] {
  const checks = calls.flatMap((call) => [
    ...commandChecks(facts, calls, call, users),
    ...summaries(facts, calls, call, users),
  ]);
  if (calls.length === 0) return [];
  // An accepted call sends the state of its media later.
  const settling = SETTLING_MS + (calls.some(({ accept }) => accept) ? TIMES.mediaStateWaitMs : 0);
  return [{ step: { wait: `${settling}ms` }, comment: 'The messages on the wire.' }, ...checks];
}

function commandChecks(
  facts: readonly Fact[],
  calls: readonly CallStory[],
  call: CallStory,
  users: RecordedUsers,
): Line[] {
  const sent = new Map<string, { device: string; type: string; payload: Payload; times: number }>();
  for (const fact of facts) {
    if (fact.kind !== 'command' || fact.unseen || fact.byHttp || fact.callId !== call.id) continue;
    const { device, type } = fact;
    if (!COUNTED.includes(type) && !REPEATED.includes(type)) continue;
    if (isLeftOut(call, fact)) continue;
    // Each state of a switch is expected separately.
    const { is_enabled, is_on_hold } = fact.payload;
    const payload = {
      ...(is_enabled === undefined ? {} : { is_enabled }),
      ...(is_on_hold === undefined ? {} : { is_on_hold }),
    };
    const key = JSON.stringify([device, type, payload]);
    sent.set(key, { device, type, payload, times: (sent.get(key)?.times ?? 0) + 1 });
  }
  return [...sent.values()].map(({ device, type, payload, times }) => ({
    step: {
      see: {
        from: users.nameOf(device),
        cmd: type,
        with: { call_id: `$${callName(calls, call.id)}.id`, ...payload },
      },
      ...(COUNTED.includes(type) ? { times } : {}),
    },
  }));
}

/**
 * Returns whether a command is a media state that its dial or accept has named, in a call that ends before the library
 * sends it.
 */
function isLeftOut(call: CallStory, { device, type, payload }: Command): boolean {
  if (type !== 'audio' && type !== 'video') return false;
  const lasted = (call.legs.get(device)?.over?.at ?? Infinity) - (call.accept?.reply?.at ?? 0);
  if (lasted > TIMES.mediaStateWaitMs + SETTLING_MS) return false;
  const naming = call.dial.device === device ? call.dial : call.accept;
  return payload['is_enabled'] === wantedMedia(naming?.payload['constraints'])[type];
}

function summaries(facts: readonly Fact[], calls: readonly CallStory[], call: CallStory, users: RecordedUsers): Line[] {
  const path = `/v1/direct_calls/${encodeURIComponent(call.id)}/summary`;
  const devices = facts.flatMap((fact) =>
    fact.kind === 'request' && fact.method === 'POST' && fact.path === path ? [fact.device] : [],
  );
  return [...new Set(devices)].map((device) => ({
    step: {
      see: { from: users.nameOf(device), http: `POST /v1/direct_calls/$${callName(calls, call.id)}.id/summary` },
      times: 1,
    },
  }));
}
