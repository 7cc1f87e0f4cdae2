/** A trace to a scenario: who was there, what they did and when, what was to be seen of it, and what broke. */
import type { TraceEvent } from '../trace/trace.ts';
import { Channels } from './channels.ts';
import { compose, type Line } from './compose.ts';
import { type Payload, readFacts } from './facts.ts';
import { lostMessages } from './lost-messages.ts';
import { mediaLosses, relayChanges } from './media-loss.ts';
import { People } from './people.ts';
import { type Presence, presenceOf } from './presence.ts';
import { tell } from './tell.ts';
import { timersOf, withOneRing } from './timers.ts';
import { claimed, withUnseen } from './unseen.ts';
import { wireChecks } from './wire-checks.ts';

/** A scenario as it is to be written. */
export interface Inferred {
  readonly actors: Readonly<Record<string, Payload>>;
  readonly timers: Payload;
  readonly lines: readonly Line[];
  /** What the scenario language cannot say of the recording, in sentences. */
  readonly notes: readonly string[];
  /** How many calls there were. */
  readonly calls: number;
}

/** More calls make no scenario that anybody reads, and a file has its limit. */
const MOST_CALLS = 50;

const OTHER_RING =
  'Callers let it ring for different times; all actors have one timer, so that who gave up sooner cancels instead.';

/** Infers a scenario from what went over the wire; a trace in which nobody called gives one without steps. */
export function inferScenario(trace: Iterable<TraceEvent>): Inferred {
  const { facts: seen, isWhole, until } = readFacts(trace, MOST_CALLS);
  const people = new People(seen);
  const told = withUnseen(claimed(seen, people), people);
  const channels = new Channels(told);
  const facts = withOneRing(told, tell(told, people, channels).calls.all, people);
  const { beats, calls, notes } = tell(facts, people, channels);
  const all = calls.all;
  if (facts.some((fact, index) => fact !== told[index])) notes.add(OTHER_RING);
  if (!isWhole) notes.add(`Only the first ${MOST_CALLS} calls are here; the trace has all.`);
  const presence = presenceOf(facts, all, people);
  const timers = timersOf(all);
  const lost = lostMessages({ facts, until, calls: all, channels, people });
  const media = mediaLosses(all, { facts, people, gone: presence.gone, unheard: lost.unheard });
  const lines = compose([...presence.beats, ...lost.breaks, ...media, ...relayChanges(facts), ...beats], {
    people,
    calls: all,
  });
  return {
    actors: actorsOf(people, presence),
    timers,
    lines: [...lines, ...wireChecks(facts, all, people)],
    notes: [...notes],
    calls: all.length,
  };
}

function actorsOf(people: People, { strangers }: Presence): Record<string, Payload> {
  return Object.fromEntries(
    people.cast().map(({ actor, user, devices }) => [
      actor,
      {
        user,
        ...(devices.length > 0 ? { devices } : {}),
        ...(strangers.has(user) ? { online: false } : {}),
      },
    ]),
  );
}
