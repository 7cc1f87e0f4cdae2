import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { type About, aboutOf } from '../../format/about.ts';
import { reference, REFERENCE_JSON_SCHEMA } from '../../format/reference.ts';
import { ACTION_PARAMETERS } from './actions.ts';
import { BOUND_KEYS } from './check-steps.ts';
import { compared, COMPARED_JSON_SCHEMA, expected } from './expected.ts';
import { MESSAGE_NAMES } from './messages.ts';
import { ACTOR_PATHS, SERVER_PATHS } from './paths.ts';
import { actor, fragmentHead, scenarioHead, STEPS } from './tree.ts';

const ADDRESS = 'https://ringback.invalid/scenario.schema.json';

type Schema = ReturnType<typeof toJsonSchema>;

const schemaOf = (schema: v.GenericSchema): Schema => {
  // A check with a message has no counterpart in JSON Schema: `ringback scenarios check` reports it.
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    errorMode: 'ignore',
    typeMode: 'input',
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === 'metadata' ? described(jsonSchema, (valibotAction as Described).metadata) : undefined,
    overrideSchema: ({ valibotSchema }) => {
      if (valibotSchema === reference) return REFERENCE_JSON_SCHEMA;
      return valibotSchema === compared ? COMPARED_JSON_SCHEMA : undefined;
    },
  });
  return rest;
};

type Described = v.MetadataAction<unknown, About & Record<string, unknown>>;

/** Returns the schema with a description. The other metadata are no keywords, so the meanings go into the text. */
function described(schema: Schema, { description, meanings, default: fallback }: About): Schema {
  const said = [
    description ?? schema.description ?? '',
    ...Object.entries(meanings ?? {}).map((one) => one.join(': ')),
  ];
  const text = said.filter((line) => line !== '').join('\n');
  const { meanings: _, example: __, typeWords: ___, ...rest } = schema as Schema & Record<keyof About, unknown>;
  return {
    ...rest,
    ...(text === '' ? {} : { description: text }),
    ...(fallback === undefined ? {} : { default: fallback as NonNullable<Schema['default']> }),
  };
}

/** The names of one file, which its schema enumerates. */
export interface SchemaScope {
  /** The devices that act: `alice`, `bob.phone`. */
  readonly devices: readonly string[];
  /** All names of actors and devices: `bob` too. */
  readonly names: readonly string[];
}

/** A value of a case in place of a name. */
const CASE = String.raw`\$case\.\w+`;
const A_REFERENCE = { type: 'string', pattern: String.raw`^\$` };

const escaped = (word: string): string => word.replaceAll('.', String.raw`\.`);

/** Returns a pattern for an actor or a device: bob, bob.phone. */
const ownerOf = (scope: SchemaScope | undefined): string =>
  scope ? `(?:${scope.names.map(escaped).join('|')})` : String.raw`[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)?`;

/** Returns a pattern that a text matches if it ends with one of the words, after the owner and a dot. */
const ownedBy = (owner: string, words: readonly string[]): string =>
  String.raw`^${owner}\.(?:${words.map(escaped).join('|')})$`;

/** Returns a schema of one of these texts, or of a reference. */
const oneOfTexts = (texts: readonly string[], said: object = {}): Schema =>
  ({ ...said, anyOf: [{ type: 'string', enum: texts }, A_REFERENCE] }) as Schema;

/** Returns the schema of `do`: the actions, and for each the parameters in `with`. */
function doStep(scope: SchemaScope | undefined): object {
  const step = schemaOf(STEPS.do);
  const { do: action, ...others } = step.properties as Readonly<Record<string, Schema>>;
  const owner = `(?:${ownerOf(scope)}|${String.raw`(?:[A-Za-z][\w-]*\.)?`}${CASE})`;
  const actions = Object.keys(ACTION_PARAMETERS);
  // In a table of cases the actor, the action or both are values of the case.
  const pattern = String.raw`^${owner}\.(?:${actions.join('|')}|${CASE})$`;
  const acts = (scope?.devices ?? []).flatMap((device) => actions.map((one) => `${device}.${one}`));
  const said = { description: action?.description ?? '' };
  return {
    ...step,
    properties: {
      do: scope
        ? {
            ...said,
            anyOf: [
              { type: 'string', enum: acts },
              { type: 'string', pattern },
            ],
          }
        : {
            ...said,
            type: 'string',
            pattern,
            patternErrorMessage: 'must be an actor and an action: alice.dial, bob.phone.accept, $case.who.$case.act',
            defaultSnippets: actions.map((name) => ({
              label: `ACTOR.${name}`,
              description: aboutOf(ACTION_PARAMETERS[name as keyof typeof ACTION_PARAMETERS]).description,
              body: `\${1:alice}.${name}`,
            })),
          },
      ...others,
    },
    allOf: Object.entries(ACTION_PARAMETERS).map(([name, parameters]) => {
      const accepted = schemaOf(parameters);
      return {
        // An object with `then` would be a promise to `await`.
        if: { not: { properties: { do: { type: 'string', pattern: ownedBy(owner, [name]) } } } },
        else: {
          properties: { do: { description: accepted.description ?? '' }, with: accepted },
          ...(accepted.required?.length ? { required: ['with'] } : {}),
        },
      };
    }),
  };
}

/** Returns the definition of the values at each path of an owner, by their names. */
const valueDefinitions = (prefix: string, paths: Readonly<Record<string, v.GenericSchema>>) =>
  Object.fromEntries(
    Object.entries(paths).map(([path, schema]) => {
      const { description } = schemaOf(schema);
      return [`${prefix}${path}`, { ...schemaOf(expected(schema)), ...(description ? { description } : {}) }];
    }),
  );

const valueAt = (prefix: string, path: string) => ({ $ref: `#/definitions/${prefix}${path}` });

/** Returns the schema of expected values: each path with its possible values. */
function expectedValues(scope: SchemaScope | undefined): object {
  const paths = [Object.keys(ACTOR_PATHS), Object.keys(SERVER_PATHS)] as const;
  const owner = ownerOf(scope);
  const patterns = (of: string, prefix: string, words: readonly string[]) =>
    words.map((path) => [ownedBy(of, [path]), valueAt(prefix, path)] as const);
  const named = (of: string, prefix: string, words: readonly string[]) =>
    words.map((path) => [`${of}.${path}`, valueAt(prefix, path)] as const);
  return {
    type: 'object',
    description: aboutOf(STEPS.expect.entries.expect).description,
    // An editor completes properties only, so the paths of a known actor are properties.
    properties: Object.fromEntries([
      ...(scope?.devices ?? []).flatMap((device) => named(device, OF_ACTOR, paths[0])),
      ...named('server', OF_SERVER, paths[1]),
    ]) as object,
    additionalProperties: false,
    ...(scope
      ? {}
      : {
          patternProperties: Object.fromEntries(patterns(NO_SERVER + owner, OF_ACTOR, paths[0])) as object,
          defaultSnippets: paths[0].map((path) => ({
            label: `ACTOR.${path}`,
            description: aboutOf(ACTOR_PATHS[path as keyof typeof ACTOR_PATHS]).description,
            body: { [`\${1:alice}.${path}`]: '$2' },
          })),
        }),
  };
}

const OF_ACTOR = 'value.';
const OF_SERVER = 'value.server.';

/** Returns a schema whose `expect` has the expected values. */
const withExpected = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, expect: { $ref: '#/definitions/expected' } },
});

/** Returns a step with at most one bound. */
const withOneBound = (schema: Schema): Schema => ({
  ...schema,
  dependencies: Object.fromEntries(
    BOUND_KEYS.map((key) => [
      key,
      {
        not: { anyOf: BOUND_KEYS.filter((other) => other !== key).map((other) => ({ required: [other] })) },
        errorMessage: `a step has one of ${BOUND_KEYS.join(', ')}`,
      },
    ]),
  ),
});

/** Returns the schema of a pattern of `see`, with the names of messages and exactly one kind. */
function withMessages(pattern: Schema, scope: SchemaScope | undefined): Schema {
  const { cmd, from, to, ...others } = pattern.properties as Readonly<Record<string, Schema>>;
  const ends = Object.entries({ from, to }).map(([key, end]) => [
    key,
    scope ? oneOfTexts(scope.names, { description: end?.description ?? '' }) : end,
  ]);
  return {
    ...pattern,
    properties: {
      ...(Object.fromEntries(ends) as Record<string, Schema>),
      cmd: oneOfTexts(MESSAGE_NAMES, { description: cmd?.description ?? '' }),
      ...others,
    },
    oneOf: ['cmd', 'http', 'ws'].map((kind) => ({ required: [kind] })),
  };
}

/** Returns the schema of `see`. */
function seeStep(scope: SchemaScope | undefined): Schema {
  const step = schemaOf(STEPS.see);
  const { see, ...others } = step.properties as Readonly<Record<string, Schema>>;
  return withOneBound({ ...step, properties: { see: withMessages(see as Schema, scope), ...others } });
}

/** Returns the schema of `never`. */
function neverStep(scope: SchemaScope | undefined): Schema {
  const step = schemaOf(STEPS.never);
  const { never, ...others } = step.properties as Readonly<Record<string, Schema>>;
  const anyOf = (never as { readonly anyOf: readonly Schema[] }).anyOf.map((one) =>
    one.required?.includes('expect') ? withExpected(one) : withMessages(one, scope),
  );
  return { ...step, properties: { never: { ...never, anyOf }, ...others } };
}

/** The steps whose schema needs no other definition. */
const OTHERS: readonly v.GenericSchema[] = [STEPS.fault, STEPS.clear, STEPS.wait, STEPS.use];

/** The beginning of the pattern of an owner that is not the exchange. */
const NO_SERVER = String.raw`(?!server\.)`;

/**
 * Returns the JSON Schema (draft 7) of a scenario file, or of a fragment, for editors that complete and check while
 * the author writes. It covers one file: only the reader checks whether a fragment exists.
 *
 * @param scope - the names of one file, which an editor then completes. Default: any names.
 */
export function scenarioJsonSchema(scope?: SchemaScope): object {
  const steps = { type: 'array', items: { $ref: '#/definitions/step' } };
  const [scenario, fragment] = [schemaOf(scenarioHead), schemaOf(fragmentHead)];
  const actors = { ...(scenario.properties?.['actors'] as object), additionalProperties: schemaOf(actor) };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: ADDRESS,
    title: 'A Ringback scenario, or a fragment of one',
    oneOf: [{ $ref: '#/definitions/scenario' }, { $ref: '#/definitions/fragment' }],
    definitions: {
      scenario: { ...scenario, properties: { ...scenario.properties, actors, steps } },
      fragment: { ...fragment, properties: { ...fragment.properties, steps } },
      step: {
        oneOf: [
          doStep(scope),
          withOneBound(withExpected(schemaOf(STEPS.expect))),
          seeStep(scope),
          neverStep(scope),
          ...OTHERS.map((step) => schemaOf(step)),
        ],
      },
      expected: expectedValues(scope),
      ...valueDefinitions(OF_ACTOR, ACTOR_PATHS),
      ...valueDefinitions(OF_SERVER, SERVER_PATHS),
    },
  };
}
