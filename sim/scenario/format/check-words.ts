/** The check of the actions, paths and messages that a step names. A misspelt one would never happen, nor fail. */
import * as v from 'valibot';
import { choicesOf, typeOf } from '../../format/about.ts';
import { ACTION_PARAMETERS, isAction, isNeverRefused, isOverAtOnce } from './actions.ts';
import { isCompared, itemOf } from './expected.ts';
import { actorIn, ACTOR_PATHS, SERVER_PATHS } from './paths.ts';
import { MESSAGE_NAMES } from './messages.ts';
import { didYouMean, knownInstead } from '../../format/near-word.ts';
import type { Path, Written } from '../../format/source.ts';
import type { EventPattern, Step } from './tree.ts';

export function checkWords(source: Written, step: Step, path: Path, names: readonly string[]): void {
  switch (step.verb) {
    case 'do':
      return checkAction(source, step, path, names);
    case 'expect':
      return checkPaths(source, step.expect, [...path, 'expect'], names);
    case 'see':
      return checkEventPattern(source, step.see, [...path, 'see']);
    case 'never':
      if ('expect' in step.never) return checkPaths(source, step.never.expect, [...path, 'never', 'expect'], names);
      return checkEventPattern(source, step.never, [...path, 'never']);
    case 'fault':
      // A forged message may have a type that no side sends.
      if (!('cmd' in step.fault) || step.fault.kind === 'forge' || step.fault.cmd === 'any') return undefined;
      return checkMessage(source, step.fault.cmd, [...path, 'fault', 'cmd']);
    default:
      return undefined;
  }
}

function checkAction(source: Written, step: Extract<Step, { verb: 'do' }>, path: Path, names: readonly string[]): void {
  const actor = actorIn(step.do, names);
  // An unknown actor is already reported.
  if (!names.includes(actor)) return;
  const action = step.do.slice(actor.length + 1);
  if (isAction(action)) {
    const [first] = Object.keys(step.with ?? {});
    if (first !== undefined && Object.keys(ACTION_PARAMETERS[action].entries).length === 0)
      source.fault([...path, 'with', first], `${action} takes no parameters: remove ${first}`);
    else source.check(ACTION_PARAMETERS[action], step.with ?? {}, [...path, 'with']);
    if (step.waits !== undefined && isOverAtOnce(action))
      source.fault([...path, 'waits'], `${action} gets no answer of the exchange: remove waits`);
    if (step.fails !== undefined && isNeverRefused(action))
      source.fault([...path, 'fails'], `${action} is never refused: remove fails`);
    return;
  }
  const meant = knownInstead(action, Object.keys(ACTION_PARAMETERS), 'ringback explain action');
  source.fault([...path, 'do'], `there is no action ${action}${meant}`);
}

function checkPaths(
  source: Written,
  wanted: Readonly<Record<string, unknown>>,
  path: Path,
  names: readonly string[],
): void {
  for (const [whole, value] of Object.entries(wanted)) {
    const owner = actorIn(whole, names);
    if (owner !== 'server' && !names.includes(owner)) continue;
    const known: Readonly<Record<string, v.GenericSchema>> = owner === 'server' ? SERVER_PATHS : ACTOR_PATHS;
    const what = whole.slice(owner.length + 1);
    const schema = Object.hasOwn(known, what) ? known[what] : undefined;
    if (!schema) {
      const meant = knownInstead(what, Object.keys(known), 'ringback explain path');
      source.fault([...path, whole], `${owner} has no value ${what || 'without a name'}${meant}`);
    } else {
      checkPatterns(source, value, [...path, whole]);
      checkValue(source, value, [...path, whole], schema, whole);
    }
  }
}

/** Reports a value, or an item of a list or a map, that is never at this path: it would be expected in vain. */
function checkValue(source: Written, value: unknown, path: Path, schema: v.GenericSchema, whole: string): void {
  if (isCompared(value)) return;
  const item = itemOf(schema);
  const holds = schema.type === 'array' ? Array.isArray(value) : isMap(value);
  if (item && holds) {
    for (const [key, one] of Object.entries(value as object))
      checkValue(source, one, [...path, Array.isArray(value) ? Number(key) : key], item, whole);
    return;
  }
  if (v.is(schema, value)) return;
  const meant = typeof value === 'string' ? didYouMean(value, choicesOf(schema) ?? []) : '';
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  source.fault(path, `${whole} is never ${written}${meant || `: it is ${typeOf(schema)}`}`);
}

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A request as a trace names it. References may be in it. */
const REQUEST = /^(?:[A-Z]+ \/|\$)/;

const KINDS_OF_PATTERN = ['cmd', 'http', 'ws'] as const;

/** Reports a pattern without a kind. It matches no event, so `never` would always pass. */
function checkEventPattern(source: Written, pattern: EventPattern, path: Path): void {
  const kinds = KINDS_OF_PATTERN.filter((kind) => pattern[kind] !== undefined);
  if (kinds.length !== 1)
    source.fault(
      path,
      `what is seen has exactly one of ${KINDS_OF_PATTERN.join(', ')}; found ${kinds.join(' and ') || 'none'}`,
    );
  if (pattern.http !== undefined && !REQUEST.test(pattern.http))
    source.fault(
      [...path, 'http'],
      `http is the method and the path of a request, like POST /v1/users/alice/login; found ${pattern.http}`,
    );
  checkPatterns(source, pattern.with, [...path, 'with']);
  checkMessage(source, pattern.cmd, [...path, 'cmd']);
}

/** Reports patterns that are not regular expressions, at any depth. */
function checkPatterns(source: Written, wanted: unknown, path: Path): void {
  if (typeof wanted === 'object' && wanted !== null)
    return Object.entries(wanted).forEach(([key, value]) => checkPatterns(source, value, [...path, key]));
  const pattern = typeof wanted === 'string' ? /^\/(.*)\/$/s.exec(wanted)?.[1] : undefined;
  if (pattern === undefined) return undefined;
  try {
    new RegExp(pattern, 'u').test('');
  } catch (error) {
    const why = error instanceof Error ? error.message.split(': ').at(-1) : String(error);
    source.fault(path, `/${pattern}/ is not a regular expression: ${why}`);
  }
  return undefined;
}

function checkMessage(source: Written, name: string | undefined, path: Path): void {
  if (name === undefined || name.startsWith('$') || MESSAGE_NAMES.includes(name)) return;
  source.fault(path, `there is no message ${name}${knownInstead(name, MESSAGE_NAMES)}`);
}
