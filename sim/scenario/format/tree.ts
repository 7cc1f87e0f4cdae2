/**
 * A scenario as a tree: one schema a part, so that the reader and the editors' JSON schema agree on what may be written.
 * Places in the file are kept beside it (read-scenario.ts).
 */
import * as v from 'valibot';
import { lastingSpan, span } from './duration.ts';
import { strikes, writtenFault } from './faults.ts';
import { orReference } from './reference.ts';

const name = v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]*$/, 'must be a name: letters, digits, - and _'));
/** What an action gave; the values of the case and the timers have their names already. */
const kept = v.pipe(name, v.regex(/^(?!(?:case|timers)$)/, 'must be another name: case and timers are taken'));
const requirementId = v.pipe(v.string(), v.regex(/^[A-Z]+-\d+$/, 'must be the id of a requirement, like DC-07'));
/** What is looked for: a value, a comparison ('>= 3'), a regular expression (/x/), a reference ($case.end) or a map of them. */
const wanted = v.unknown();

/** Bounds in time, counted from `since`, else from the end of the step before. */
const bounds = {
  /** It comes true at some time within this span. */
  within: v.optional(span),
  /** It comes true exactly then; for messages, a list says when each was. */
  at: v.optional(v.union([span, v.array(span)])),
  /** It comes true not before the first and not after the second. */
  between: v.optional(v.strictTuple([span, span])),
  /** Once true, it stays so this long. */
  for: v.optional(span),
  since: v.optional(name),
};

const condition = v.pipe(
  v.string(),
  v.regex(
    /^(?:not\s+)?\$[\w.]+(?:\s*[!=]=\s*\S+)?$/,
    'must be a condition like $case.stays, not $case.stays or $case.end == connected',
  ),
);

const everyStep = {
  /** Names the moment at which the step ends, for `since`. */
  label: v.optional(name),
  /** The step is taken only when this holds: `$case.end == connected`, or `not $case.stays`. */
  when: v.optional(condition),
};

/** A message or a request on the wire, or a socket that opens or closes. */
const sight = v.strictObject({
  from: v.optional(v.string()),
  to: v.optional(v.string()),
  /** The type of a command, a reply or an event: dial, dial_ack, offer. */
  cmd: v.optional(v.string()),
  /** Method and path, `$call.id` filled in: POST /v1/direct_calls/$call.id/summary. */
  http: v.optional(v.string()),
  /** What a realtime channel did. */
  ws: v.optional(v.picklist(['open', 'close'])),
  /** The payload holds at least this. */
  with: v.optional(v.record(v.string(), wanted)),
});
export type Sight = v.InferOutput<typeof sight>;

/** The steps, by the one verb each has. */
export const STEPS = {
  do: v.strictObject({
    do: v.pipe(v.string(), v.regex(/^[\w-]+(\.[\w-]+)+$/, 'must be an actor and an action, like alice.dial')),
    with: v.optional(v.record(v.string(), v.unknown())),
    /** Keeps what the action gave, for `$name.id`. */
    as: v.optional(kept),
    /** The code it is refused with. */
    fails: v.optional(orReference(v.number())),
    /** It may have no effect: what it asks for may be so already, or be impossible by now. */
    idle: v.optional(orReference(v.boolean())),
    ...everyStep,
  }),
  expect: v.strictObject({ expect: v.record(v.string(), wanted), ...bounds, ...everyStep }),
  see: v.strictObject({
    see: sight,
    ...bounds,
    /** One each span, as often as `times` says. */
    every: v.optional(span),
    times: v.optional(orReference(v.pipe(v.number(), v.integer(), v.minValue(0)))),
    ...everyStep,
  }),
  never: v.strictObject({
    never: v.union([sight, v.strictObject({ expect: v.record(v.string(), wanted) })]),
    ...everyStep,
  }),
  fault: v.strictObject({
    fault: writtenFault,
    ...strikes,
    until: v.optional(span),
    as: v.optional(name),
    ...everyStep,
  }),
  clear: v.strictObject({ clear: name, ...everyStep }),
  wait: v.strictObject({ wait: span, ...everyStep }),
  /** The steps of the fragment stand in its place: it has no end of its own to label, and takes no `when`. */
  use: v.strictObject({ use: v.string() }),
} as const;
export type Verb = keyof typeof STEPS;
export const VERBS = Object.keys(STEPS) as Verb[];

type Taken = Exclude<Verb, 'use'>;
/** A step, its verb spelt out, and where it stands; the steps of a fragment are in the place of its `use`. */
export type Step = { [V in Taken]: { readonly verb: V } & v.InferOutput<(typeof STEPS)[V]> }[Taken] & {
  readonly place: Place;
};

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export const actor = v.strictObject({
  user: v.pipe(v.string(), v.minLength(1)),
  devices: v.optional(v.pipe(v.array(name), v.minLength(1))),
  /** Signed in, with an open channel, when the first step is taken. */
  online: v.optional(v.boolean(), true),
});

/** The worlds a scenario can be run in. */
export const WORLD_NAMES = ['virtual', 'real', 'scaled', 'browser'] as const;
export type WorldName = (typeof WORLD_NAMES)[number];

const timers = v.strictObject({ ring: v.optional(lastingSpan), connection: v.optional(lastingSpan) });

/** What is different in one world: other timers; or, in words, why the scenario is not run there. */
const inWorld = v.union([v.strictObject({ timers: v.optional(timers) }), v.pipe(v.string(), v.minLength(1))]);

/** The values of a case; `spec` says what its trace shows besides what every case does. */
const oneCase = v.objectWithRest({ spec: v.optional(v.array(requirementId)) }, v.unknown());

/** The top of a scenario file; each step is read by its verb. */
export const scenarioHead = v.strictObject({
  scenario: v.pipe(v.string(), v.regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path of names, like direct/happy-video')),
  about: v.optional(v.string()),
  spec: v.optional(v.array(requirementId), []),
  tags: v.optional(v.array(name), []),
  seed: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 1),
  actors: v.record(name, actor),
  timers: v.optional(timers, {}),
  worlds: v.optional(v.strictObject(v.entriesFromList(WORLD_NAMES, v.optional(inWorld))), {}),
  cases: v.optional(v.pipe(v.array(oneCase), v.minLength(1))),
  steps: v.array(v.unknown()),
});

/** A fragment: steps that scenarios use. */
export const fragmentHead = v.strictObject({
  fragment: v.string(),
  about: v.optional(v.string()),
  steps: v.array(v.unknown()),
});

export type ScenarioHead = v.InferOutput<typeof scenarioHead>;

export interface Scenario extends Omit<ScenarioHead, 'steps'> {
  readonly file: string;
  readonly steps: readonly Step[];
}
