/** Descriptions in schemas: the one source of the documents, the JSON Schema and `ringback explain`. */
import * as v from 'valibot';

/** The description of a part of a file. */
export interface About {
  readonly description?: string;
  /** The value that counts when the part is absent. */
  readonly default?: unknown;
  /** An example, as it is written in a file. */
  readonly example?: string;
  /** The meaning of each possible value. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The type in words, for a schema that a reader cannot guess it from. */
  readonly typeWords?: string;
}

/** Returns the schema with a description. The type stays the same, since a description changes no value. */
export function about<S extends v.GenericSchema>(schema: S, description: string | undefined, more: About = {}): S {
  const said = description === undefined ? {} : { description };
  return v.pipe(schema, v.metadata({ ...said, ...more })) as unknown as S;
}

/** Returns the schema with its type in words. */
export const calledType = <S extends v.GenericSchema>(typeWords: string, schema: S): S =>
  v.pipe(schema, v.metadata({ typeWords })) as unknown as S;

/** Returns the description of a schema, also of one that may be absent. */
export function aboutOf(schema: v.GenericSchema): About {
  const own: About = v.getMetadata(schema);
  const inner = wrappedIn(schema);
  if (!inner) return own;
  const fallback = v.getDefault(schema as v.OptionalSchema<v.GenericSchema, unknown>);
  return { ...aboutOf(inner), ...(fallback === undefined ? {} : { default: fallback }), ...own };
}

/** Returns whether a part of a map may be absent. */
export const isOptional = (schema: v.GenericSchema): boolean => schema.type === 'optional';

const wrappedIn = (schema: v.GenericSchema): v.GenericSchema | undefined =>
  'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : undefined;

/** Returns the schemas of the parts of a map, by their keys. */
export const partsOf = (schema: v.GenericSchema): Readonly<Record<string, v.GenericSchema>> =>
  'entries' in schema ? (schema.entries as Readonly<Record<string, v.GenericSchema>>) : {};

/** Returns the possible values of a schema. Undefined if they are no short list. */
export function choicesOf(schema: v.GenericSchema): readonly string[] | undefined {
  const inner = wrappedIn(schema);
  if (inner) return choicesOf(inner);
  if (schema.type === 'picklist') return (schema as v.PicklistSchema<readonly string[], undefined>).options;
  // A value or a reference.
  if (schema.type === 'union') return choicesOf(optionsOf(schema)[0] as v.GenericSchema);
  return undefined;
}

const optionsOf = (schema: v.GenericSchema): readonly v.GenericSchema[] =>
  'options' in schema ? (schema.options as readonly v.GenericSchema[]) : [];

/** Returns the type of a schema in words: `true or false`, `a list of numbers`. */
export function typeOf(schema: v.GenericSchema): string {
  const { typeWords } = aboutOf(schema);
  if (typeWords !== undefined) return typeWords;
  const inner = wrappedIn(schema);
  switch (schema.type) {
    case 'boolean':
      return 'true or false';
    case 'number':
      return 'a number';
    case 'picklist':
      return `one of ${(choicesOf(schema) ?? []).join(', ')}`;
    case 'literal':
      return (schema as v.LiteralSchema<string, undefined>).literal;
    case 'array':
      return `a list: each ${typeOf((schema as v.ArraySchema<v.GenericSchema, undefined>).item)}`;
    case 'record': {
      const { value } = schema as v.RecordSchema<v.GenericSchema<string>, v.GenericSchema, undefined>;
      return `a map: each value ${typeOf(value)}`;
    }
    case 'strict_tuple':
    case 'tuple': {
      const { items } = schema as v.TupleSchema<v.GenericSchema[], undefined>;
      return `a list of two: each ${typeOf(items[0] as v.GenericSchema)}`;
    }
    case 'strict_object':
    case 'object_with_rest':
      return 'a map';
    case 'unknown':
      return 'any value';
    case 'nullable':
      return `${typeOf(inner as v.GenericSchema)}, or null`;
    case 'union':
      return optionsOf(schema)
        .filter(({ type }) => type !== 'custom')
        .map(typeOf)
        .join(', or ');
    default:
      return inner ? typeOf(inner) : 'a text';
  }
}
