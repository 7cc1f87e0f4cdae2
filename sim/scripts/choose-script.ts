/**
 * Which script a client has chosen, from the words it chose it by:
 *
 *     decline                          a script by its name
 *     accept,after=5s,who=bob          with its parameters
 *     calls+hangs-up,after=3s          several in one
 *     decline@my-test                  in a world that nobody shares who does not say the same
 */
import * as v from 'valibot';
import { didYouMean } from '../scenario/format/near-word.ts';
import { BUILT_INS, type BuiltIn } from './built-in.ts';
import { ANYBODY, script, type Script, type WrittenScript, YOU } from './format/tree.ts';

/** Nobody knows this script, or it cannot be played so. The message says what there is. */
export class UnknownScript extends Error {
  override readonly name = 'UnknownScript';
}

/** Scripts of files, by their names, beside those that are built in. */
export type OwnScripts = readonly WrittenScript[];

type Reaction = NonNullable<WrittenScript['people']>[string][number];

/** Whether it is about how a call begins: nobody does that in two ways. */
const begins = ({ on }: Pick<Reaction, 'on'>): boolean => on === 'called' || on === 'online';

/** How long it rings where a script is about what comes after the accept, and says nothing about it. */
const ACCEPT = { on: 'called', after: '2s', do: 'accept' } as const;
const LONGEST = 512;

/**
 * @param userIds - everybody there is.
 * @throws UnknownScript where a name, a parameter or a value is not known, or two scripts cannot be joined.
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
    // A name that has a meaning in JavaScript does not pass the schema, and must not be left out in silence.
    if (isKnown && Object.hasOwn(read.output.people, who)) continue;
    const near = didYouMean(who, [...userIds, ANYBODY, YOU]);
    throw new UnknownScript(`${words} is about ${who}, whom nobody knows here${near}.`);
  }
  return read.output;
}

/** As {@link chooseScript}, as a file would have it, whoever there is. */
export function writeScript(words: string, own: OwnScripts = []): WrittenScript {
  if (words.length > LONGEST) throw new UnknownScript(`A script is chosen by at most ${LONGEST} characters.`);
  const [what = '', world, ...more] = words.split('@');
  if (more.length > 0 || world === '') throw new UnknownScript(`What is behind the @ of ${words} must be one name.`);
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
    if (Object.hasOwn(values, key)) throw new UnknownScript(`${key} of ${name} is there twice.`);
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

/** Several scripts as one: everybody does all that is said of them, and all goes wrong that is said to. */
function joined(parts: readonly WrittenScript[]): Omit<WrittenScript, 'script'> {
  const people = new Map<string, readonly Reaction[]>();
  for (const part of parts) {
    for (const [who, reactions] of Object.entries(part.people ?? {})) {
      const before = people.get(who) ?? [];
      const twice = before.find((one) => begins(one) && reactions.some((other) => other.on === one.on));
      if (twice) {
        const what = twice.on === 'called' ? 'how they answer' : 'when they call';
        throw new UnknownScript(`Two scripts say of ${who} ${what}: choose one, or tell them apart with who=.`);
      }
      people.set(who, [...before, ...reactions]);
    }
  }
  return {
    people: Object.fromEntries([...people].map(([who, all]) => [who, [...all]])),
    faults: parts.flatMap(({ faults = [] }) => faults),
  };
}

/** Who has something to do in a call, and nothing that begins one, accepts; so does anybody where nobody does anything. */
function withAccept(whole: WrittenScript): WrittenScript {
  const { people = {} } = whole;
  const entries = Object.entries(people);
  if (entries.length === 0) return { ...whole, people: { [ANYBODY]: [ACCEPT] } };
  const whoAccepts = entries.filter(([, reactions]) => reactions.length > 0 && !reactions.some(begins));
  if (whoAccepts.length === 0) return whole;
  const accepting = whoAccepts.map(([who, reactions]) => [who, [ACCEPT, ...reactions]]);
  return { ...whole, people: { ...people, ...Object.fromEntries(accepting) } };
}
