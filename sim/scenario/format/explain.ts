/** The descriptions of the words of scenario files, from the schemas that read these files. */
import type * as v from 'valibot';
import { writtenFault } from '../../faults/vocabulary.ts';
import { aboutOf, isOptional, partsOf, typeOf } from '../../format/about.ts';
import { ACTION_PARAMETERS } from './actions.ts';
import { itemOf } from './expected.ts';
import { ACTOR_PATHS, SERVER_PATHS } from './paths.ts';
import { BOUNDS, fragmentHead, scenarioHead, STEPS } from './tree.ts';

/** The groups of words. */
export const TOPICS = ['head', 'verb', 'bound', 'action', 'path', 'fault', 'fragment'] as const;
export type Topic = (typeof TOPICS)[number];

/** A parameter of an action, a key of a fault, of a step or of a file. */
export interface ExplainedPart {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly default?: unknown;
  readonly meanings?: Readonly<Record<string, string>>;
}

/** The description of a word. */
export interface Explanation {
  readonly topic: Topic;
  readonly name: string;
  readonly description: string;
  /** The type of the value of a key of the head, of a path or a bound. */
  readonly type?: string;
  readonly meanings?: Readonly<Record<string, string>>;
  readonly parts: readonly ExplainedPart[];
  /** A step, or a file, that is valid where the names in it exist. */
  readonly example?: string;
}

type Schemas = Readonly<Record<string, v.GenericSchema>>;

/** The schemas of the faults, by their kinds. */
const FAULTS: Schemas = Object.fromEntries(
  (writtenFault.options as readonly v.GenericSchema[]).map((option) => {
    const kind = partsOf(option)['kind'] as unknown as v.LiteralSchema<string, undefined>;
    return [kind.literal, option];
  }),
);

/** The paths of actors, and those of the exchange behind `server`. */
const PATHS: Schemas = {
  ...ACTOR_PATHS,
  ...Object.fromEntries(Object.entries(SERVER_PATHS).map(([path, schema]) => [`server.${path}`, schema])),
};

const WORDS: Readonly<Record<Topic, Schemas>> = {
  head: partsOf(scenarioHead),
  verb: STEPS,
  bound: BOUNDS,
  action: ACTION_PARAMETERS,
  path: PATHS,
  fault: FAULTS,
  fragment: { fragment: fragmentHead },
};

export const isTopic = (word: string): word is Topic => Object.hasOwn(WORDS, word);

/** Returns the words of a group. */
export const wordsOf = (topic: Topic): string[] => Object.keys(WORDS[topic]);

/** Returns the description of a word. Undefined if the group does not have the word. */
export function explain(topic: Topic, name: string): Explanation | undefined {
  const words = WORDS[topic];
  const schema = Object.hasOwn(words, name) ? words[name] : undefined;
  if (!schema) return undefined;
  const { kind, ...others } = topic === 'head' ? partsWithin(schema) : partsOf(schema);
  // The kind of a fault has the description of the fault.
  const { description = '', meanings, example } = aboutOf(kind ?? schema);
  return {
    topic,
    name,
    description,
    ...(['head', 'path', 'bound'].includes(topic) ? { type: typeOf(schema) } : {}),
    ...(meanings ? { meanings } : {}),
    parts: explainParts(others),
    ...(example === undefined ? {} : { example }),
  };
}

/** Returns the keys of a map, of each value of a map with any names, or of each item of a list. */
function partsWithin(schema: v.GenericSchema): Schemas {
  if ('wrapped' in schema) return partsWithin(schema.wrapped as v.GenericSchema);
  const item = itemOf(schema);
  return partsOf(item ?? schema);
}

/** Returns the descriptions of the keys of a map, and of the maps in it: `see`, `see.cmd`. */
function explainParts(parts: Schemas, prefix = ''): ExplainedPart[] {
  return Object.entries(parts).flatMap(([key, part]) => {
    const { description = '', default: fallback, meanings } = aboutOf(part);
    return [
      {
        name: `${prefix}${key}`,
        type: typeOf(part),
        isRequired: !isOptional(part),
        description,
        // An empty list or map is the same as an absent key.
        ...(fallback === undefined || typeof fallback === 'object' ? {} : { default: fallback }),
        ...(meanings ? { meanings } : {}),
      },
      ...explainParts(partsOf(part), `${prefix}${key}.`),
    ];
  });
}
