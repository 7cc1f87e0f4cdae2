/**
 * A scenario as a tree. Each part has one schema, so that the reader and the editors' JSON schema accept the same
 * files. Places in the file are stored separately (read-scenario.ts).
 */
import * as v from 'valibot';
import { about } from '../../format/about.ts';
import { lastingSpan, span } from '../../format/duration.ts';
import { selection, writtenFault } from '../../faults/vocabulary.ts';
import { orReference } from '../../format/reference.ts';
import type { Place } from '../../format/source.ts';

const name = v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]*$/, 'must be a name: letters, digits, - and _'));
/** The name of an action's result. `case` and `timers` are reserved. */
const kept = v.pipe(name, v.regex(/^(?!(?:case|timers)$)/, 'must be another name: case and timers are taken'));
/** The id of a requirement. */
export const REQUIREMENT = /^[A-Z]+-\d+$/;
const requirementId = v.pipe(v.string(), v.regex(REQUIREMENT, 'must be the id of a requirement, like DC-07'));
/**
 * An expected value: a value, a comparison ('>= 3'), a regular expression (/x/), a reference ($case.end) or a map of
 * them.
 */
const wanted = v.unknown();

/** Expected values, by their paths. */
const wantedValues = about(v.record(v.string(), wanted), 'The expected values, by their paths.', {
  typeWords: 'a map of paths and expected values',
});

/** The events of `see`, each in its span. */
const repeated = {
  every: v.optional(
    about(span, 'One event in each span, as often as `times`. Only for `see`.', {
      example: '{ see: { from: alice, cmd: alive }, every: 30s, times: 3 }',
    }),
  ),
  times: v.optional(
    about(
      orReference(v.pipe(v.number(), v.integer(), v.minValue(0))),
      'The number of events. Without another bound, exactly this many since the beginning or the label. Only for `see`.',
      { typeWords: 'a whole number from 0', example: '{ see: { from: alice, cmd: cancel }, times: 1 }' },
    ),
  ),
};

/** Bounds in time, counted from `since`. Default: from the end of the previous step. */
const bounds = {
  within: v.optional(
    about(span, 'It becomes true within this span.', {
      example: '{ expect: { bob.call.state: ringing }, within: 1s }',
    }),
  ),
  at: v.optional(
    about(
      v.union([span, v.array(span)]),
      'It becomes true at exactly this time. For `see`, a list has a time for each event.',
      {
        example: '{ expect: { alice.call.result: no_answer }, at: 60s }',
      },
    ),
  ),
  between: v.optional(
    about(v.strictTuple([span, span]), 'It becomes true not before the first time, and not after the second.', {
      example: '{ expect: { alice.call.state: reconnecting }, between: [1s, 8s] }',
    }),
  ),
  for: v.optional(
    about(span, 'Once true, it stays true for this span.', {
      example: '{ expect: { alice.call.state: connected }, within: 5s, for: 3s }',
    }),
  ),
  since: v.optional(
    about(name, 'The label from whose moment the time counts. Default: the end of the step before.', {
      typeWords: 'the label of a step before',
      example: '{ expect: { alice.call.state: connected }, within: 8s, since: cut }',
    }),
  ),
};

/** The bounds in time of `expect` and `see`, by their keys. */
export const BOUNDS: Readonly<Record<string, v.GenericSchema>> = { ...bounds, ...repeated };

const condition = v.pipe(
  v.string(),
  v.regex(
    /^(?:not\s+)?\$[\w.]+(?:\s*[!=]=\s*\S+)?$/,
    'must be a condition like $case.stays, not $case.stays or $case.end == connected',
  ),
);

const everyStep = {
  label: v.optional(
    about(name, 'The name of the moment at which the step ends, for `since`.', { typeWords: 'a name' }),
  ),
  when: v.optional(
    about(condition, 'The condition of the step: `$case.end == connected`, or `not $case.stays`.', {
      typeWords: 'a condition',
    }),
  ),
};

/** A message or a request on the wire, or a socket that opens or closes. */
const pattern = v.strictObject({
  from: v.optional(about(v.string(), 'The actor whose device sends it.')),
  to: v.optional(about(v.string(), 'The actor whose device gets it.')),
  cmd: v.optional(about(v.string(), 'The type of a command, a reply or an event: `dial`, `dial_ack`, `offer`.')),
  http: v.optional(
    about(v.string(), 'The method and the path of a request: `POST /v1/direct_calls/$call.id/summary`.'),
  ),
  ws: v.optional(about(v.picklist(['open', 'close']), 'The event of a realtime channel.')),
  with: v.optional(
    about(v.record(v.string(), wanted), 'Values that the payload contains.', { typeWords: 'a map of expected values' }),
  ),
});
export type EventPattern = v.InferOutput<typeof pattern>;

/** The schemas of the steps, by their verb. */
export const STEPS = {
  do: about(
    v.strictObject({
      do: about(
        v.pipe(
          v.string(),
          v.regex(
            /^(?:[\w-]+|\$case\.\w+)(?:\.(?:[\w-]+|\$case\.\w+))+$/,
            'must be an actor and an action, like alice.dial or $case.who.accept',
          ),
        ),
        'The actor and the action: `alice.dial`, `alice.phone.dial`, or `$case.who.$case.act`.',
      ),
      with: v.optional(
        about(v.record(v.string(), v.unknown()), 'The parameters of the action: `ringback explain action NAME`.', {
          typeWords: 'a map of parameters',
        }),
      ),
      as: v.optional(about(kept, "The name of the action's result, for `$name.id`.", { typeWords: 'a name' })),
      fails: v.optional(about(orReference(v.number()), 'The code with which the action is refused.')),
      waits: v.optional(
        about(
          v.boolean(),
          'Whether the step waits for the answer of the exchange. Default: true, but `dial`, `accept`, `end`, `decline` and `cancel` end their step at once. With `false` the next steps cross the action, and its refusal is permitted.',
        ),
      ),
      idle: v.optional(
        about(
          orReference(v.boolean()),
          'Whether the action may have no effect, for example because its result already holds, or because another user or device was first.',
          { default: false },
        ),
      ),
      ...everyStep,
    }),
    'An actor acts.',
    { example: '{ do: alice.dial, with: { callee: bob }, as: call }' },
  ),
  expect: about(
    v.strictObject({ expect: wantedValues, ...bounds, ...everyStep }),
    'Values that must be true, or become true within a bound.',
    { example: '{ expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }' },
  ),
  see: about(
    v.strictObject({
      see: about(pattern, 'The message, the request or the event. It has exactly one of `cmd`, `http` and `ws`.'),
      ...bounds,
      ...repeated,
      ...everyStep,
    }),
    'A message or a request on the network, or a channel that opens or closes.',
    { example: '{ see: { from: alice, cmd: offer }, within: 2s }' },
  ),
  never: about(
    v.strictObject({
      never: about(
        v.union([pattern, v.strictObject({ expect: wantedValues })]),
        'A pattern as in `see`, or values as in `expect`.',
        { typeWords: 'a map as in `see`, or `expect` with values' },
      ),
      ...everyStep,
    }),
    'Something that must not happen, from this step to the end.',
    { example: '{ never: { to: bob, cmd: cancel } }' },
  ),
  fault: about(
    v.strictObject({
      fault: about(writtenFault, 'The fault, by its `kind`: `ringback explain fault KIND`.', {
        typeWords: 'a map with a `kind`',
      }),
      ...selection,
      until: v.optional(about(span, 'Ends the fault after this time.')),
      as: v.optional(about(name, 'The name of the fault, for `clear`.', { typeWords: 'a name' })),
      ...everyStep,
    }),
    'Injects a fault.',
    { example: '{ fault: { kind: offline, actor: bob }, until: 8s, as: tunnel }' },
  ),
  clear: about(
    v.strictObject({
      clear: about(name, 'The `as` of a fault before this step.', { typeWords: 'the name of a fault' }),
      ...everyStep,
    }),
    'Ends the fault with this name.',
    { example: '{ clear: cut }' },
  ),
  wait: about(v.strictObject({ wait: about(span, 'The time that passes.'), ...everyStep }), 'Lets time pass.', {
    example: '{ wait: 3s }',
  }),
  // The steps of the fragment replace this step, so it has no label and no `when`.
  use: about(
    v.strictObject({
      use: about(v.string(), 'The path of the fragment, from the folder of this file.', { typeWords: 'a path' }),
    }),
    'Inserts the steps of a fragment, another file. The step has no `label` and no `when`.',
    { example: '{ use: ../parts/connected.yaml }' },
  ),
} as const;
export type Verb = keyof typeof STEPS;
export const VERBS = Object.keys(STEPS) as Verb[];

type Taken = Exclude<Verb, 'use'>;
/** A step with its verb and its place. The steps of a fragment are in the place of its `use`. */
export type Step = { [V in Taken]: { readonly verb: V } & v.InferOutput<(typeof STEPS)[V]> }[Taken] & {
  readonly place: Place;
};

export const actor = v.strictObject({
  user: about(v.pipe(v.string(), v.minLength(1)), 'The user id.'),
  devices: v.optional(
    about(v.pipe(v.array(name), v.minLength(1)), 'The devices of the user: `[phone, laptop]` makes `bob.phone`.', {
      typeWords: 'a list of names',
    }),
  ),
  online: v.optional(
    about(
      v.boolean(),
      'Whether the user is signed in, with an open channel, at the first step. Others cannot dial a user who has never signed in.',
    ),
    true,
  ),
});

/** The kinds of world that a scenario can run in. */
export const WORLD_NAMES = ['virtual', 'real', 'scaled', 'browser'] as const;
export type WorldName = (typeof WORLD_NAMES)[number];

/** The most nodes of an exchange. */
export const MOST_NODES = 9;

const timers = v.strictObject({
  ring: v.optional(about(lastingSpan, 'The longest ring. Default: 60s.')),
  connection: v.optional(about(lastingSpan, 'The longest time from the accept to media. Default: 60s.')),
});

/** The differences in one world: other timers, or the reason why the scenario does not run there. */
const inWorld = v.union(
  [
    v.strictObject({ timers: v.optional(about(timers, 'The timers of the library in this world.')) }),
    about(v.pipe(v.string(), v.minLength(1)), 'The reason why the scenario does not run in this world.'),
  ],
  'must be a map with timers, or a sentence: the reason why the scenario does not run there',
);

/** The values of a case. `spec` lists the requirements that its trace shows in addition to the scenario's. */
const oneCase = v.objectWithRest(
  {
    name: v.optional(about(v.unknown(), 'The name of the case: the end of its title.', { typeWords: 'a name' })),
    spec: v.optional(
      about(v.array(requirementId), 'The requirements that the trace of this case shows too.', {
        typeWords: 'a list of ids',
      }),
    ),
  },
  about(v.unknown(), 'A value of the case: `$case.NAME`.'),
);

/** The head of a scenario file. Each step is read by its verb. */
export const scenarioHead = v.strictObject({
  scenario: about(
    v.pipe(v.string(), v.regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path of names, like direct/happy-video')),
    'The name: a path of words. No other file of a run has it.',
    { typeWords: 'a path of names' },
  ),
  about: v.optional(about(v.string(), 'A description, for lists.')),
  spec: v.optional(
    about(
      v.array(requirementId),
      'The requirements of the library that the trace shows. A requirement that the trace does not show fails the scenario. Ids of another system are `tags`.',
      { typeWords: 'a list of ids' },
    ),
    [],
  ),
  tags: v.optional(about(v.array(name), 'The words for `--tag`.', { typeWords: 'a list of names' }), []),
  seed: v.optional(
    about(v.pipe(v.number(), v.integer(), v.minValue(0)), 'The seed of everything random. Default: 1.'),
    1,
  ),
  nodes: v.optional(
    about(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_NODES)),
      'The nodes of the exchange, 1 to 9: `node-1` and so on. Only the virtual world has more than one. Default: 1.',
    ),
  ),
  actors: about(
    v.record(name, actor),
    'The users: each with a `user`, the user id. `devices: [phone, laptop]` makes `bob.phone`. `online: false` is a ' +
      'user who has never signed in: others cannot dial that user yet.',
    {
      typeWords: 'a map of actors',
      example: 'actors: { alice: { user: alice }, bob: { user: bob, devices: [phone, laptop] } }',
    },
  ),
  timers: v.optional(
    about(
      timers,
      'The longest ring, and the longest time from the accept to media: `ring` and `connection`. Default: 60s each.',
      {
        typeWords: 'a map of spans',
        example: 'timers: { ring: 20s, connection: 10s }',
      },
    ),
    {},
  ),
  worlds: v.optional(
    about(
      v.strictObject(
        v.entriesFromList(
          WORLD_NAMES,
          v.optional(
            about(inWorld, 'Other timers in this world, or why the scenario does not run there.', {
              typeWords: 'a map with `timers`, or a sentence',
            }),
          ),
        ),
      ),
      'The settings of one world: `real: { timers: { ring: 3s } }`. A sentence skips the world: `real: no relay here`.',
      { typeWords: 'a map of worlds', example: 'worlds: { real: { timers: { ring: 3s } }, browser: no relay here }' },
    ),
    {},
  ),
  invariants: v.optional(
    about(
      v.union([v.boolean(), v.picklist(['direct', 'room'])]),
      'Whether the run goes on as in `ringback explore`: the faults end, 200 seconds pass, and the calls end. Then a ' +
        'promise that never settles, a sound that still loops, and a call or a timer that is left fail it. Only in ' +
        'the virtual world. With `direct` or `room` it ends as a random story of a call or a room, and checks the ' +
        'invariants of those: a random story that `ringback explore` saves has this. Then a refused action does not ' +
        'fail it, and a `never` ends with the last step. Default: false.',
      { typeWords: 'true, false, `direct` or `room`', example: 'invariants: true' },
    ),
  ),
  cases: v.optional(
    about(
      v.pipe(v.array(oneCase), v.minLength(1)),
      'The scenario runs once for each, with its values as `$case.name`. Its `name` is its title, and its `spec` is ' +
        'added to that of the scenario.',
      {
        typeWords: 'a list of maps',
        example: 'cases: [{ name: declined, who: bob, act: decline }, { name: canceled, who: alice, act: cancel }]',
      },
    ),
  ),
  steps: about(v.array(v.unknown()), 'The steps, in order.', { typeWords: 'a list of steps' }),
});

/** A fragment: steps that scenarios use. */
export const fragmentHead = about(
  v.strictObject({
    fragment: about(v.string(), 'The name of the fragment.'),
    about: v.optional(about(v.string(), 'What its steps do.')),
    steps: about(v.array(v.unknown()), 'The steps. They replace the `use`, and name actors of the scenario.', {
      typeWords: 'a list of steps',
    }),
  }),
  'A file with steps that several scenarios use. A scenario inserts them with `use`. Fragments can use others.',
  { example: '{ fragment: pause, about: A pause of three seconds., steps: [{ wait: 3s }] }' },
);

export type ScenarioHead = v.InferOutput<typeof scenarioHead>;

export interface Scenario extends Omit<ScenarioHead, 'steps'> {
  readonly file: string;
  readonly steps: readonly Step[];
}

/** Returns the names of the nodes of a scenario's exchange. */
export const nodeNames = ({ nodes = 1 }: Pick<ScenarioHead, 'nodes'>): string[] =>
  Array.from({ length: nodes }, (_, at) => `node-${at + 1}`);
