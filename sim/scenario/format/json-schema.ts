import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { actor, scenarioHead, STEPS } from './tree.ts';

const ADDRESS = 'https://ringback.invalid/scenario.schema.json';

type Schema = ReturnType<typeof toJsonSchema>;

const schemaOf = (schema: v.GenericSchema): Schema => {
  // A check in words has no counterpart in JSON Schema; what it says is told by `ringback scenarios check`.
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' });
  return rest;
};

/** The JSON Schema (draft 7) of a scenario file, for editors that complete and check while one writes. */
export function scenarioJsonSchema(): Schema {
  const head = schemaOf(scenarioHead);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: ADDRESS,
    title: 'A Ringback scenario',
    ...head,
    properties: {
      ...head.properties,
      actors: { type: 'object', additionalProperties: schemaOf(actor) },
      steps: { type: 'array', items: { oneOf: Object.values(STEPS).map((step) => schemaOf(step)) } },
    },
  };
}
