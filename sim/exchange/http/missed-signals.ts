import * as v from 'valibot';
import { eventFrom } from '../../../src/protocol/envelope.ts';
import type { Core } from '../core.ts';
import { frameOf } from '../delivery/deliver.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { SignalLog } from '../delivery/signal-log.ts';
import type { Answer, Asked } from './handlers.ts';

/**
 * Handles `GET /v1/direct_calls/missed_signal`: the signals kept for this device's legs of the calls in `call_ids`,
 * each call's in order. For a call that ended before this exchange started, the answer has the ending from the history.
 * Unknown calls and calls of other users are both left out (S20). The answer is at most as large as the library reads:
 * a call with many signals has only the newest.
 *
 * @throws HttpRefusal 400 without a call, or with too many. 401.
 */
export async function missedSignals(
  core: Core,
  { device, query }: Asked<'missedSignals'>,
): Promise<Answer<'missedSignals'>> {
  const logs = await Promise.all(
    query.call_ids.map(async (id) => (await signalsElsewhere(core, device, id)) ?? (await signalsOf(core, device, id))),
  );
  return answerOf(core, device, logs);
}

/**
 * Answers the same for another node, with the signals that are here alone. Two nodes that take each other for the owner
 * of a call must not ask each other without end.
 */
export async function missedSignalsHere(
  core: Core,
  { device, query }: Pick<Asked<'missedSignals'>, 'device' | 'query'>,
): Promise<Answer<'missedSignals'>> {
  return answerOf(core, device, await Promise.all(query.call_ids.map((id) => signalsOf(core, device, id))));
}

function answerOf(core: Core, device: DeviceId, logs: readonly SignalLog[]): Answer<'missedSignals'> {
  const share = fairShare(
    logs.map(({ chars }) => chars),
    core.settings.missedSignalChars,
  );
  const missed = logs
    .flatMap((log) => log.newest(share))
    .map((frame) => ({ ...frame, delivery_info: { channel: 'missed_signal' as const } }));
  for (const frame of missed) core.journal.record('out', device, frame);
  return { signals: missed };
}

const kept = v.object({ signals: v.array(v.unknown()) });

/** Returns the signals that another node has of a call. Null when no other node owns the call. */
async function signalsElsewhere(core: Core, device: DeviceId, id: string): Promise<SignalLog | null> {
  const request = { route: 'missedSignals', params: {}, query: { call_ids: [id] } } as const;
  const answer = await core.ownerOf(id)?.request?.(device, request);
  if (!answer) return null;
  const log = new SignalLog(core.settings);
  const read = v.safeParse(kept, answer.body);
  if (answer.status !== 200 || !read.success) throw new Error('the owner of a call did not return its signals');
  const frames = read.output.signals.map(eventFrom);
  log.restore(frames, frames.at(-1)?.sequence_number ?? 0);
  return log;
}

async function signalsOf(core: Core, device: DeviceId, id: string): Promise<SignalLog> {
  const log = new SignalLog(core.settings);
  for (const one of core.participations) {
    const signals = one.signalsOf(id, device);
    if (signals !== undefined) return signals ?? log;
  }
  const record = core.live && (await core.store.call(id));
  if (!record || !record.participants.some(({ user_id }) => user_id === device.userId)) return log;
  const { endResult: end_result, endedBy: ended_by, endedAt: ended_at, duration } = record;
  const payload = { call_id: id, end_result, ended_by, ended_at, duration };
  // The numbers of its signals are not known any more.
  log.restore([frameOf(core, { cmd: 'CALL', type: 'end', payload }, 0)], 0);
  return log;
}

/**
 * Returns the largest share for each of several parts whose sum stays within `total`. A part that is smaller than the
 * share leaves the rest to larger parts.
 */
export function fairShare(sizes: readonly number[], total: number): number {
  let [left, parts] = [total, sizes.length];
  for (const size of sizes.toSorted((one, other) => one - other)) {
    if (size * parts > left) return Math.floor(left / parts);
    left -= size;
    parts -= 1;
  }
  return total;
}
