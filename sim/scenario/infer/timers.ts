/** How long the clients of a recording let a call ring and connect, as far as it shows. */
import { TIMES } from '../../../src/protocol/limits.ts';
import { spanText } from '../format/duration.ts';
import type { CallStory } from './calls.ts';
import type { Payload } from './facts.ts';

/** A timer that is this near to the usual one is that one: a share of it. */
const NEAR = 0.02;
const STEP_MS = 100;
/** What lasted longer than the timer allows had a longer one: by how much nobody knows, milliseconds. */
const SPARE_MS = 30_000;

/** The `timers` of a scenario: those that were not the usual ones. */
export function timersOf(calls: readonly CallStory[], notes: Set<string>): Payload {
  const ring = timerOf(
    calls.flatMap((call) => spanUntil(call, 'no_answer', call.dial.reply?.at)),
    calls.flatMap((call) => (call.dial.reply && call.accept ? [call.accept.at - call.dial.reply.at] : [])),
    TIMES.ringingTimeoutMs,
  );
  const connection = timerOf(
    calls.flatMap((call) => spanUntil(call, 'timeout', call.accept?.at)),
    [],
    TIMES.connectionTimeoutMs,
  );
  if (ring.differ || connection.differ)
    notes.add('Clients had timers of different lengths; all of the scenario have those of the first.');
  return {
    ...(ring.ms === undefined ? {} : { ring: spanText(ring.ms) }),
    ...(connection.ms === undefined ? {} : { connection: spanText(connection.ms) }),
  };
}

/** How long it was until the timer of this name ran out, milliseconds; nothing where it did not. */
function spanUntil({ ending }: CallStory, type: string, from: number | undefined): number[] {
  return ending?.type === type && from !== undefined ? [ending.at - from] : [];
}

/** @param ranOut - how long it was each time it ran out. @param lasted - what was shorter than the timer. */
function timerOf(
  ranOut: readonly number[],
  lasted: readonly number[],
  usual: number,
): { readonly ms?: number; readonly differ: boolean } {
  const [first] = ranOut;
  const longest = Math.max(0, ...lasted);
  const isNear = (ms: number, other: number) => Math.abs(ms - other) <= other * NEAR;
  if (first === undefined) {
    if (longest < usual) return { differ: false };
    return { ms: Math.ceil((longest + SPARE_MS) / 1_000) * 1_000, differ: false };
  }
  const differ = ranOut.some((ms) => !isNear(ms, first)) || longest > first;
  return isNear(first, usual) ? { differ } : { ms: Math.round(first / STEP_MS) * STEP_MS, differ };
}
