/** The ring and connection timers of the recorded clients, as far as the trace shows them. */
import { TIMES } from '../../../src/protocol/limits.ts';
import { spanText } from '../../format/duration.ts';
import type { CallStory } from './calls.ts';
import type { Fact, Payload } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';

/** Two timers whose lengths differ by less than this share are the same. */
const NEAR = 0.02;
const STEP_MS = 100;
/** The addition for a timer that is longer than the longest wait: its length is unknown. Milliseconds. */
const SPARE_MS = 30_000;

const isNear = (ms: number, other: number): boolean => Math.abs(ms - other) <= other * NEAR;

/** Returns the `timers` of a scenario: those that differ from the defaults. */
export function timersOf(calls: readonly CallStory[]): Payload {
  const ring = timerOf(
    calls.flatMap((call) => rangOut(call) ?? []),
    calls.flatMap(rangFor),
    TIMES.ringingTimeoutMs,
  );
  const connection = timerOf(
    calls.flatMap(({ ending, accept }) => (ending?.type === 'timeout' && accept ? [ending.at - accept.at] : [])),
    [],
    TIMES.connectionTimeoutMs,
  );
  return {
    ...(ring === undefined ? {} : { ring: spanText(ring) }),
    ...(connection === undefined ? {} : { connection: spanText(connection) }),
  };
}

/**
 * Returns the facts for one ring timer, which all actors of a scenario share. A caller with a shorter timer cancels
 * instead.
 */
export function withOneRing(facts: readonly Fact[], calls: readonly CallStory[], users: RecordedUsers): Fact[] {
  const longest = Math.max(0, ...calls.flatMap((call) => [...rangFor(call), rangOut(call) ?? 0]));
  const early = new Map(
    calls
      .filter((call) => !isNear(rangOut(call) ?? longest, longest))
      .map(({ id, dial }) => [id, users.userOf(dial.device)]),
  );
  return facts.map((fact): Fact => {
    if ((fact.kind !== 'command' && fact.kind !== 'signal') || fact.type !== 'no_answer') return fact;
    const caller = early.get(fact.callId);
    if (caller === undefined) return fact;
    if (fact.kind === 'command') return { ...fact, type: 'cancel' };
    return { ...fact, type: 'cancel', payload: { end_result: 'canceled', ended_by: { user_id: caller } } };
  });
}

/** Returns how long a call rang until the caller's timer fired. Milliseconds. */
function rangOut({ ending, dial }: CallStory): number | undefined {
  return ending?.type === 'no_answer' && dial.reply ? ending.at - dial.reply.at : undefined;
}

/** Returns how long a call rang until a user acted on it. Milliseconds. */
function rangFor({ ending, dial, accept }: CallStory): number[] {
  const at = accept?.at ?? (ending?.type === 'no_answer' ? undefined : ending?.at);
  return dial.reply && at !== undefined ? [at - dial.reply.at] : [];
}

/**
 * Returns the length of a timer. @param ranOut - how long it ran each time it fired. @param lasted - waits that were
 * shorter than the timer.
 */
function timerOf(ranOut: readonly number[], lasted: readonly number[], usual: number): number | undefined {
  const [first] = ranOut;
  if (first !== undefined) return isNear(first, usual) ? undefined : Math.round(first / STEP_MS) * STEP_MS;
  const longest = Math.max(0, ...lasted);
  return longest < usual ? undefined : Math.ceil((longest + SPARE_MS) / 1_000) * 1_000;
}
