import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { type About, aboutOf } from '../../format/about.ts';
import { reference, REFERENCE_JSON_SCHEMA } from '../../format/reference.ts';
import { ACTION_PARAMETERS } from './actions.ts';
import { compared, COMPARED_JSON_SCHEMA, expected } from './expected.ts';
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

/** The name of an actor or a device in a pattern: bob, bob.phone. */
const OWNER = String.raw`[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)?`;

/** Returns a pattern that a text matches if it ends with one of the words, after the owner and a dot. */
const ownedBy = (owner: string, words: readonly string[]): string =>
  String.raw`^${owner}\.(?:${words.map((word) => word.replaceAll('.', String.raw`\.`)).join('|')})$`;

/** Returns the schema of `do`: the actions, and for each the parameters in `with`. */
function doStep(): object {
  const step = schemaOf(STEPS.do);
  const { do: action, ...others } = step.properties as Readonly<Record<string, object>>;
  return {
    ...step,
    properties: { do: { ...action, pattern: ownedBy(OWNER, Object.keys(ACTION_PARAMETERS)) }, ...others },
    allOf: Object.entries(ACTION_PARAMETERS).map(([name, parameters]) => {
      const accepted = schemaOf(parameters);
      return {
        // An object with `then` would be a promise to `await`.
        if: { not: { properties: { do: { type: 'string', pattern: ownedBy(OWNER, [name]) } } } },
        else: {
          properties: { do: { description: accepted.description ?? '' }, with: accepted },
          ...(accepted.required?.length ? { required: ['with'] } : {}),
        },
      };
    }),
  };
}

/** Returns the schema of expected values: each path with its possible values. */
function expectedValues(): object {
  const of = (owner: string, paths: Readonly<Record<string, v.GenericSchema>>) =>
    Object.entries(paths).map(([path, schema]) => {
      const { description } = schemaOf(schema);
      return [ownedBy(owner, [path]), { ...schemaOf(expected(schema)), ...(description ? { description } : {}) }];
    });
  return {
    type: 'object',
    description: aboutOf(STEPS.expect.entries.expect).description,
    patternProperties: Object.fromEntries([
      ...of(NO_SERVER + OWNER, ACTOR_PATHS),
      ...of('server', SERVER_PATHS),
    ]) as object,
    additionalProperties: false,
  };
}

/** Returns a schema whose `expect` has the expected values. */
const withExpected = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, expect: { $ref: '#/definitions/expected' } },
});

/** Returns the schema of `never`. */
function neverStep(): Schema {
  const step = schemaOf(STEPS.never);
  const { never, ...others } = step.properties as Readonly<Record<string, Schema>>;
  const anyOf = (never as { readonly anyOf: readonly Schema[] }).anyOf.map((one) =>
    one.required?.includes('expect') ? withExpected(one) : one,
  );
  return { ...step, properties: { never: { ...never, anyOf }, ...others } };
}

/** The steps whose schema needs no other definition. */
const OTHERS: readonly v.GenericSchema[] = [STEPS.see, STEPS.fault, STEPS.clear, STEPS.wait, STEPS.use];

/** The beginning of the pattern of an owner that is not the exchange. */
const NO_SERVER = String.raw`(?!server\.)`;

/**
 * Returns the JSON Schema (draft 7) of a scenario file, or of a fragment, for editors that complete and check while
 * the author writes. It covers one file: only the reader checks whether an actor or a fragment exists.
 */
export function scenarioJsonSchema(): object {
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
        oneOf: [doStep(), withExpected(schemaOf(STEPS.expect)), neverStep(), ...OTHERS.map((step) => schemaOf(step))],
      },
      expected: expectedValues(),
    },
  };
}
