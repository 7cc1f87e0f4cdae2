/** The stop of a replay: a moment, or an observed value. */
import * as v from 'valibot';
import { choicesOf, typeOf } from '../../format/about.ts';
import { isCompared } from '../format/expected.ts';
import { actorIn, ACTOR_PATHS, SERVER_PATHS } from '../format/paths.ts';
import { spanOf } from '../../format/duration.ts';
import { didYouMean } from '../../format/near-word.ts';
import type { Scenario } from '../format/tree.ts';
import { fits } from '../format/values.ts';
import type { ScenarioWorld } from '../run/world.ts';
import { devicesOf } from './moment.ts';

export type Stop = { readonly at: number } | { readonly path: string; readonly wanted: string | number | boolean };

/**
 * Parses `17.5s`, or `alice.pc=closed`.
 * @throws RangeError that names the accepted forms.
 */
export function parseStop(text: string, { actors }: Pick<Scenario, 'actors'>): Stop {
  const at = spanOf(text);
  if (at !== undefined) return { at };
  const [, path, value = ''] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  if (path === undefined)
    throw new RangeError(`${text} is neither a moment, like 17.5s, nor a value, like alice.pc=closed`);
  const devices = devicesOf(actors);
  const owner = actorIn(path, [...devices, 'server']);
  if (owner !== 'server' && !devices.includes(owner))
    throw new RangeError(`there is no device ${owner}${didYouMean(owner, devices)}: they are ${devices.join(', ')}`);
  const known = Object.keys(owner === 'server' ? SERVER_PATHS : ACTOR_PATHS);
  const what = path.slice(owner.length + 1);
  if (!known.includes(what))
    throw new RangeError(`${owner} has no value ${what || 'without a name'}${didYouMean(what, known)}`);
  const schemas: Readonly<Record<string, v.GenericSchema>> = owner === 'server' ? SERVER_PATHS : ACTOR_PATHS;
  const schema = schemas[what] as v.GenericSchema;
  const wanted = valueOf(value);
  if (!isCompared(wanted) && !v.is(schema, wanted))
    throw new RangeError(
      `${path} is never ${value}${didYouMean(value, choicesOf(schema) ?? []) || `: it is ${typeOf(schema)}`}`,
    );
  return { path, wanted };
}

const valueOf = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
};

/** Returns whether the world has the expected value. */
export const isSeenIn = (stop: Stop | undefined, world: ScenarioWorld): boolean =>
  stop !== undefined && 'path' in stop && fits(world.read(stop.path), stop.wanted);

/** Returns the stop in words. */
export const stopText = (stop: Stop): string =>
  'at' in stop ? `${stop.at / 1_000} s` : `${stop.path} is ${String(stop.wanted)}`;
