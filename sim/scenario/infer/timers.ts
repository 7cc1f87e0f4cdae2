/** How long the clients of a recording let a call ring and connect, as far as it shows. */
import { TIMES } from '../../../src/protocol/limits.ts';
import { spanText } from '../format/duration.ts';
import type { CallStory } from './calls.ts';
import type { Fact, Payload } from './facts.ts';
import type { People } from './people.ts';

/** A timer that is this near to another is that one: a share of it. */
const NEAR = 0.02;
const STEP_MS = 100;
/** What lasted longer than the timer allows had a longer one: by how much nobody knows, milliseconds. */
const SPARE_MS = 30_000;

const isNear = (ms: number, other: number): boolean => Math.abs(ms - other) <= other * NEAR;

/** The `timers` of a scenario: those that were not the usual ones. */
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
 * All actors have the timers of the scenario. A caller who let it ring for a shorter time than others did gives up by hand
 * there, as far as that goes: these are the facts as they are then.
 */
export function withOneRing(facts: readonly Fact[], calls: readonly CallStory[], people: People): Fact[] {
  const longest = Math.max(0, ...calls.flatMap((call) => [...rangFor(call), rangOut(call) ?? 0]));
  const early = new Map(
    calls
      .filter((call) => !isNear(rangOut(call) ?? longest, longest))
      .map(({ id, dial }) => [id, people.userOf(dial.device)]),
  );
  return facts.map((fact): Fact => {
    if ((fact.kind !== 'command' && fact.kind !== 'signal') || fact.type !== 'no_answer') return fact;
    const caller = early.get(fact.callId);
    if (caller === undefined) return fact;
    if (fact.kind === 'command') return { ...fact, type: 'cancel' };
    return { ...fact, type: 'cancel', payload: { end_result: 'canceled', ended_by: { user_id: caller } } };
  });
}

/** How long it rang until the caller's timer ran out, milliseconds. */
function rangOut({ ending, dial }: CallStory): number | undefined {
  return ending?.type === 'no_answer' && dial.reply ? ending.at - dial.reply.at : undefined;
}

/** How long it rang until somebody did something about it, milliseconds. */
function rangFor({ ending, dial, accept }: CallStory): number[] {
  const at = accept?.at ?? (ending?.type === 'no_answer' ? undefined : ending?.at);
  return dial.reply && at !== undefined ? [at - dial.reply.at] : [];
}

/** @param ranOut - how long it was each time it ran out. @param lasted - what was shorter than the timer. */
function timerOf(ranOut: readonly number[], lasted: readonly number[], usual: number): number | undefined {
  const [first] = ranOut;
  if (first !== undefined) return isNear(first, usual) ? undefined : Math.round(first / STEP_MS) * STEP_MS;
  const longest = Math.max(0, ...lasted);
  return longest < usual ? undefined : Math.ceil((longest + SPARE_MS) / 1_000) * 1_000;
}
