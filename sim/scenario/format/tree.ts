/**
 * A scenario as a tree. Each part has one schema, so that the reader and the editors' JSON schema accept the same
 * files. Places in the file are stored separately (read-scenario.ts).
 */
import * as v from 'valibot';
import { lastingSpan, span } from '../../format/duration.ts';
import { selection, writtenFault } from '../../faults/vocabulary.ts';
import { orReference } from '../../format/reference.ts';
import type { Place } from '../../format/source.ts';

const name = v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]*$/, 'must be a name: letters, digits, - and _'));
/** The name of an action's result. `case` and `timers` are reserved. */
const kept = v.pipe(name, v.regex(/^(?!(?:case|timers)$)/, 'must be another name: case and timers are taken'));
const requirementId = v.pipe(v.string(), v.regex(/^[A-Z]+-\d+$/, 'must be the id of a requirement, like DC-07'));
/**
 * An expected value: a value, a comparison ('>= 3'), a regular expression (/x/), a reference ($case.end) or a map of
 * them.
 */
const wanted = v.unknown();

/** Bounds in time, counted from `since`. Default: from the end of the previous step. */
const bounds = {
  /** It becomes true within this span. */
  within: v.optional(span),
  /** It becomes true at exactly this moment. For messages, a list has a moment for each. */
  at: v.optional(v.union([span, v.array(span)])),
  /** It becomes true between these two moments. */
  between: v.optional(v.strictTuple([span, span])),
  /** Once true, it stays true for this span. */
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
  /** The name of the moment at which the step ends, for `since`. */
  label: v.optional(name),
  /** The condition of the step: `$case.end == connected`, or `not $case.stays`. */
  when: v.optional(condition),
};

/** A message or a request on the wire, or a socket that opens or closes. */
const pattern = v.strictObject({
  from: v.optional(v.string()),
  to: v.optional(v.string()),
  /** The type of a command, a reply or an event: dial, dial_ack, offer. */
  cmd: v.optional(v.string()),
  /** Method and path, with `$call.id` filled in: POST /v1/direct_calls/$call.id/summary. */
  http: v.optional(v.string()),
  /** The event of a realtime channel. */
  ws: v.optional(v.picklist(['open', 'close'])),
  /** Values that the payload must contain. */
  with: v.optional(v.record(v.string(), wanted)),
});
export type EventPattern = v.InferOutput<typeof pattern>;

/** The schemas of the steps, by their verb. */
export const STEPS = {
  do: v.strictObject({
    do: v.pipe(v.string(), v.regex(/^[\w-]+(\.[\w-]+)+$/, 'must be an actor and an action, like alice.dial')),
    with: v.optional(v.record(v.string(), v.unknown())),
    /** The name of the action's result, for `$name.id`. */
    as: v.optional(kept),
    /** The code with which the action is refused. */
    fails: v.optional(orReference(v.number())),
    /** False if the step does not wait for the answer of the exchange, so that other steps cross the action. */
    waits: v.optional(v.boolean()),
    /** Whether the action may have no effect, for example because its result already holds. */
    idle: v.optional(orReference(v.boolean())),
    ...everyStep,
  }),
  expect: v.strictObject({ expect: v.record(v.string(), wanted), ...bounds, ...everyStep }),
  see: v.strictObject({
    see: pattern,
    ...bounds,
    /** One event in each span, as often as `times`. */
    every: v.optional(span),
    times: v.optional(orReference(v.pipe(v.number(), v.integer(), v.minValue(0)))),
    ...everyStep,
  }),
  never: v.strictObject({
    never: v.union([pattern, v.strictObject({ expect: v.record(v.string(), wanted) })]),
    ...everyStep,
  }),
  fault: v.strictObject({
    fault: writtenFault,
    ...selection,
    until: v.optional(span),
    as: v.optional(name),
    ...everyStep,
  }),
  clear: v.strictObject({ clear: name, ...everyStep }),
  wait: v.strictObject({ wait: span, ...everyStep }),
  /** The steps of the fragment replace this step, so it has no label and no `when`. */
  use: v.strictObject({ use: v.string() }),
} as const;
export type Verb = keyof typeof STEPS;
export const VERBS = Object.keys(STEPS) as Verb[];

type Taken = Exclude<Verb, 'use'>;
/** A step with its verb and its place. The steps of a fragment are in the place of its `use`. */
export type Step = { [V in Taken]: { readonly verb: V } & v.InferOutput<(typeof STEPS)[V]> }[Taken] & {
  readonly place: Place;
};

export const actor = v.strictObject({
  user: v.pipe(v.string(), v.minLength(1)),
  devices: v.optional(v.pipe(v.array(name), v.minLength(1))),
  /** Whether the device is signed in, with an open channel, at the first step. */
  online: v.optional(v.boolean(), true),
});

/** The kinds of world that a scenario can run in. */
export const WORLD_NAMES = ['virtual', 'real', 'scaled', 'browser'] as const;
export type WorldName = (typeof WORLD_NAMES)[number];

/** The most nodes of an exchange. */
const MOST_NODES = 9;

const timers = v.strictObject({ ring: v.optional(lastingSpan), connection: v.optional(lastingSpan) });

/** The differences in one world: other timers, or the reason why the scenario does not run there. */
const inWorld = v.union([v.strictObject({ timers: v.optional(timers) }), v.pipe(v.string(), v.minLength(1))]);

/** The values of a case. `spec` lists the requirements that its trace shows in addition to the scenario's. */
const oneCase = v.objectWithRest({ spec: v.optional(v.array(requirementId)) }, v.unknown());

/** The head of a scenario file. Each step is read by its verb. */
export const scenarioHead = v.strictObject({
  scenario: v.pipe(v.string(), v.regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path of names, like direct/happy-video')),
  about: v.optional(v.string()),
  spec: v.optional(v.array(requirementId), []),
  tags: v.optional(v.array(name), []),
  seed: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 1),
  /** The nodes of the exchange, `node-1` and so on. Default: 1. */
  nodes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_NODES))),
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

/** Returns the names of the nodes of a scenario's exchange. */
export const nodeNames = ({ nodes = 1 }: Pick<ScenarioHead, 'nodes'>): string[] =>
  Array.from({ length: nodes }, (_, at) => `node-${at + 1}`);
