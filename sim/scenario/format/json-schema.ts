import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { About } from '../../format/about.ts';
import { reference, REFERENCE_JSON_SCHEMA } from '../../format/reference.ts';
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
    overrideSchema: ({ valibotSchema }) => (valibotSchema === reference ? REFERENCE_JSON_SCHEMA : undefined),
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
      step: { oneOf: Object.values(STEPS).map((step) => schemaOf(step)) },
    },
  };
}
