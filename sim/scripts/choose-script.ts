/**
 * The script that a client has chosen, from its words:
 *     decline                          a script by its name
 *     accept,after=5s,who=bob          with its parameters
 *     calls+hangs-up,after=3s          several in one
 *     decline@my-test                  in a separate world, shared with clients that use the same words
 */
import * as v from 'valibot';
import { didYouMean } from '../format/near-word.ts';
import { BUILT_INS, type BuiltIn } from './built-in.ts';
import { ANYBODY, script, type Script, type WrittenScript, YOU } from './format/tree.ts';

/** The error of an unknown script, or one that cannot be played so. The message lists the alternatives. */
export class UnknownScript extends Error {
  override readonly name = 'UnknownScript';
}

/** Scripts from files, by name, besides those that are built in. */
export type OwnScripts = readonly WrittenScript[];

type Reaction = NonNullable<WrittenScript['people']>[string][number];

/** Whether the reaction begins a call: a user can have one such reaction only. */
const begins = ({ on }: Pick<Reaction, 'on'>): boolean => on === 'called' || on === 'online';

/** The accept for a script about what follows the accept, if the script has none. */
const ACCEPT = { on: 'called', after: '2s', do: 'accept' } as const;
const LONGEST = 512;

/**
 * Reads the words and returns the script.
 * @param userIds - the ids of all users.
 * @throws UnknownScript when a name, a parameter or a value is not known, or two scripts cannot be joined.
 */
export function chooseScript(words: string, own: OwnScripts, userIds: readonly string[]): Script {
  const written = writeScript(words, own);
  const read = v.safeParse(script, written);
  if (!read.success) {
    const [issue] = read.issues;
    throw new UnknownScript(`${v.getDotPath(issue) ?? 'the script'} of ${words} ${issue.message}.`);
  }
  for (const who of Object.keys(written.people ?? {})) {
    const isKnown = who === ANYBODY || who === YOU || userIds.includes(who);
    // A name with a meaning in JavaScript does not pass the schema, and must not be ignored silently.
    if (isKnown && Object.hasOwn(read.output.people, who)) continue;
    const near = didYouMean(who, [...userIds, ANYBODY, YOU]);
    throw new UnknownScript(`${words} is about ${who}, but this world has no user of that name${near}.`);
  }
  return read.output;
}

/** Works as {@link chooseScript}, but returns the text of a script file and checks no user names. */
export function writeScript(words: string, own: OwnScripts = []): WrittenScript {
  if (words.length > LONGEST) throw new UnknownScript(`The words for a script are limited to ${LONGEST} characters.`);
  const [what = '', world, ...more] = words.split('@');
  if (more.length > 0 || world === '') throw new UnknownScript(`The text after the @ of ${words} must be one name.`);
  const misplaced = world?.match(/[,+].*/)?.[0];
  if (misplaced !== undefined)
    throw new UnknownScript(`${misplaced} of ${words} stands after the name of a world. Write it before the @.`);
  const parts = what.split('+').map((part) => oneScript(part, own));
  const [only] = parts;
  const name = parts.map((part) => part.script).join('-with-');
  return withAccept(parts.length === 1 && only ? only : { script: name, ...joined(parts) });
}

function oneScript(part: string, own: OwnScripts): WrittenScript {
  const [name = '', ...assignments] = part.split(',');
  const file = own.find(({ script: known }) => known === name);
  if (file) {
    if (assignments.length > 0) throw new UnknownScript(`The script ${name} is a file and takes no parameters.`);
    return file;
  }
  const builtIn = BUILT_INS.find((one) => one.name === name);
  if (!builtIn) {
    const names = [...BUILT_INS, ...own.map((one) => ({ name: one.script }))].map((one) => one.name);
    throw new UnknownScript(
      `There is no script ${name || '""'}${didYouMean(name, names)}. There are ${names.join(', ')}.`,
    );
  }
  return { script: name, about: builtIn.about, ...builtIn.write(valuesOf(builtIn, assignments)) };
}

function valuesOf({ name, parameters }: BuiltIn, assignments: readonly string[]): Record<string, string> {
  const names = Object.keys(parameters);
  const values: Record<string, string> = {};
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    const key = at < 0 ? assignment : assignment.slice(0, at);
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (!parameter) {
      throw new UnknownScript(`${name} has no parameter ${key}${didYouMean(key, names)}. It has ${names.join(', ')}.`);
    }
    if (Object.hasOwn(values, key)) throw new UnknownScript(`${name} has the parameter ${key} twice.`);
    const text = at < 0 ? '' : assignment.slice(at + 1);
    const checked = v.safeParse(parameter.schema, text);
    if (!checked.success) {
      throw new UnknownScript(`${key} of ${name} ${checked.issues[0].message}; found ${JSON.stringify(text)}.`);
    }
    values[key] = checked.output;
  }
  for (const [key, { about, default: otherwise }] of Object.entries(parameters)) {
    if (Object.hasOwn(values, key) || otherwise === null) continue;
    if (otherwise === undefined) throw new UnknownScript(`${name} needs ${key}: ${about}, as in ${name},${key}=…`);
    values[key] = otherwise;
  }
  return values;
}

/** Joins several scripts: each user has the reactions of all of them, and all faults apply. */
function joined(parts: readonly WrittenScript[]): Omit<WrittenScript, 'script'> {
  const people = new Map<string, readonly Reaction[]>();
  for (const part of parts) {
    for (const [who, reactions] of Object.entries(part.people ?? {})) {
      const before = people.get(who) ?? [];
      const twice = before.find((one) => begins(one) && reactions.some((other) => other.on === one.on));
      if (twice) {
        const what = twice.on === 'called' ? 'how they answer' : 'when they call';
        throw new UnknownScript(`Two scripts define for ${who} ${what}: choose one, or give each a different who=.`);
      }
      people.set(who, [...before, ...reactions]);
    }
  }
  return {
    people: Object.fromEntries([...people].map(([who, all]) => [who, [...all]])),
    faults: parts.flatMap(({ faults = [] }) => faults),
  };
}

/**
 * Adds an accept for a user who has reactions within a call but none that begins one. If no user has reactions, any
 * user accepts.
 */
function withAccept(whole: WrittenScript): WrittenScript {
  const { people = {} } = whole;
  const entries = Object.entries(people);
  if (entries.length === 0) return { ...whole, people: { [ANYBODY]: [ACCEPT] } };
  const whoAccepts = entries.filter(([, reactions]) => reactions.length > 0 && !reactions.some(begins));
  if (whoAccepts.length === 0) return whole;
  const accepting = whoAccepts.map(([who, reactions]) => [who, [ACCEPT, ...reactions]]);
  return { ...whole, people: { ...people, ...Object.fromEntries(accepting) } };
}
