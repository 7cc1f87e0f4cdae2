/** The random draws from which stories are made. */
import { seededRandom } from '../../virtual/random.ts';
import type { Place } from '../../format/source.ts';
import type { Step } from '../format/tree.ts';

/** The place of a drawn step. */
export const PLACE: Place = { file: 'drawn', line: 1, column: 1 };

/** A step before it has a place. */
export type Drawn = Step extends infer S ? (S extends Step ? Omit<S, 'place'> : never) : never;
export type DrawnFault = Extract<Step, { verb: 'fault' }>['fault'];

/** The random draws of one story. */
export interface Draw {
  /** Returns a number from 0 to 1, without 1. */
  readonly random: () => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** Returns true in this share of the draws, 0 to 1. */
  readonly chance: (share: number) => boolean;
}

/** Returns the draws of a seed. */
export function drawFrom(seed: number): Draw {
  const random = seededRandom(seed);
  return {
    random,
    pick: <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T,
    chance: (share) => random() < share,
  };
}
