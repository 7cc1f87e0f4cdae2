/** The inference of a scenario from a trace: the users, their actions, the observations and the faults. */
import { stringify } from 'yaml';
import { flow, item } from '../format/write-scenario.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { Channels, type Fact, type Payload, readFacts } from './facts.ts';
import { compose, type Line } from './compose.ts';
import { lostMessages } from './lost-messages.ts';
import { mediaLosses, relayChanges } from './media-loss.ts';
import { refusals } from './refusals.ts';
import { RecordedUsers } from './recorded-users.ts';
import { type Presence, presenceOf } from './presence.ts';
import { addCommand } from './command-events.ts';
import { addRequest } from './request-events.ts';
import { addSignal } from './signal-events.ts';
import { StoryBuilder } from './story-builder.ts';
import { timersOf, withOneRing } from './timers.ts';
import { claimed, withUnseen } from './unseen.ts';
import { wireChecks } from './wire-checks.ts';

/** A scenario that can be written to a file. */
export interface Inferred {
  readonly actors: Readonly<Record<string, Payload>>;
  readonly timers: Payload;
  readonly lines: readonly Line[];
  /** What the scenario language cannot express of the recording, in sentences. */
  readonly notes: readonly string[];
  /** The number of calls. */
  readonly calls: number;
}

/** The most calls of a scenario: a longer one would be unreadable, and a file has a size limit. */
const MOST_CALLS = 50;

const OTHER_RING =
  'Callers waited for different times. All actors share one timer, so a caller who gave up sooner cancels instead.';

/** Infers a scenario from the messages on the wire. A trace without a dial gives a scenario without steps. */
export function inferScenario(trace: Iterable<TraceEvent>): Inferred {
  const { facts: seen, isWhole, until } = readFacts(trace, MOST_CALLS);
  const users = new RecordedUsers(seen);
  const known = withUnseen(claimed(seen, users), users);
  const channels = new Channels(known);
  const facts = withOneRing(known, storyOf(known, users, channels).calls.all, users);
  const { events, calls, notes } = storyOf(facts, users, channels);
  const all = calls.all;
  if (facts.some((fact, index) => fact !== known[index])) notes.add(OTHER_RING);
  if (!isWhole) notes.add(`Only the first ${MOST_CALLS} calls are here. The trace has all.`);
  const presence = presenceOf(facts, all, users);
  const timers = timersOf(all);
  const lost = lostMessages({ facts, until, calls: all, channels, users });
  const media = mediaLosses(all, { facts, users, gone: presence.gone, unheard: lost.unheard });
  const faults = [...lost.faults, ...refusals(facts, users), ...media, ...relayChanges(facts)];
  const lines = compose([...presence.events, ...faults, ...events], { users, calls: all });
  return {
    actors: actorsOf(users, presence),
    timers,
    lines: [...lines, ...wireChecks(facts, all, users)],
    notes: [...notes],
    calls: all.length,
  };
}

/** Returns the story of the facts: actions and observations. Faults are inferred separately. */
function storyOf(facts: readonly Fact[], users: RecordedUsers, channels: Channels): StoryBuilder {
  const story = new StoryBuilder(users, channels);
  for (const fact of facts) {
    if (fact.kind === 'command') addCommand(story, fact);
    else if (fact.kind === 'signal') addSignal(story, fact);
    else if (fact.kind === 'request') addRequest(story, fact);
  }
  return story;
}

function actorsOf(users: RecordedUsers, { strangers }: Presence): Record<string, Payload> {
  return Object.fromEntries(
    users.actors().map(({ actor, user, devices }) => [
      actor,
      {
        user,
        ...(devices.length > 0 ? { devices } : {}),
        ...(strangers.has(user) ? { online: false } : {}),
      },
    ]),
  );
}

/** Returns an inferred scenario as the text of a file. Its notes become comments. */
export function inferredText({ actors, timers, lines, notes }: Inferred, name: string, about: string): string {
  const head = {
    scenario: name,
    about,
    tags: ['recorded'],
    ...(Object.keys(timers).length > 0 ? { timers } : {}),
  };
  return [
    stringify(head, { lineWidth: 0 }).trimEnd(),
    Object.keys(actors).length === 0 ? 'actors: {}' : 'actors:',
    ...Object.entries(actors).map(([actor, value]) => `  ${actor}: ${flow(value)}`),
    ...notes.map((note) => `# ${note}`),
    lines.length === 0 ? 'steps: []' : 'steps:',
    ...lines.flatMap(({ comment, step }) => [...(comment === undefined ? [] : [`  # ${comment}`]), item(step)]),
    '',
  ].join('\n');
}
