/** The values that a step may expect at a path: those of its type, and texts that are compared with them. */
import * as v from 'valibot';

const COMPARED = /^(?:any$|\$|\/[\s\S]*\/$|(?:>=|<=|>|<|!=)\s*-?\d)/;

/** Returns whether a value is a comparison, a pattern, a reference or `any`. Only a run knows whether it fits. */
export const isCompared = (value: unknown): boolean => typeof value === 'string' && COMPARED.test(value);

/** A text that is compared with the value at a path. */
export const compared = v.custom<string>(isCompared);

/** The same rule for a JSON Schema. */
export const COMPARED_JSON_SCHEMA = { type: 'string', pattern: COMPARED.source } as const;

/** Returns the schema of each item of a list or a map. Undefined for other schemas. */
export function itemOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  if (schema.type === 'array') return (schema as v.ArraySchema<v.GenericSchema, undefined>).item;
  if (schema.type === 'record')
    return (schema as v.RecordSchema<v.GenericSchema<string>, v.GenericSchema, undefined>).value;
  return undefined;
}

/** Returns the schema of the values that a step may expect where the actual value has this schema. */
export function expected(schema: v.GenericSchema): v.GenericSchema {
  const item = itemOf(schema);
  if (!item) return v.union([schema, compared]);
  const items = schema.type === 'array' ? v.array(expected(item)) : v.record(v.string(), expected(item));
  return v.union([items, compared]);
}
