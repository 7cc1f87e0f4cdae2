import { spanText } from '../../format/duration.ts';
import type { ScenarioWorld } from './world.ts';

/**
 * An act of the runner that was too late, so that a failure may not be the library's. Times are milliseconds since
 * the story began.
 */
export interface Lateness {
  /** What was late, in words: `step 9, alice.end (mine.yaml:12), was taken`. */
  readonly what: string;
  readonly dueMs: number;
  readonly doneMs: number;
  /** The permitted delay: the world's tolerance of the wait before. */
  readonly allowedMs: number;
}

/** A moment at which the runner must act, and the wait before it. A longer wait permits a larger error. */
export interface Due {
  readonly atMs: number;
  readonly waitedMs: number;
}

/** A comparison of actual moments with those that were due. In virtual time they are always the same. */
export class LateSteps {
  readonly #world: Pick<ScenarioWorld, 'tolerance'>;
  #worst: Lateness | undefined;

  constructor(world: Pick<ScenarioWorld, 'tolerance'>) {
    this.#world = world;
  }

  /** Returns the act that was late by most. Undefined if none exceeded its tolerance. */
  get worst(): Lateness | undefined {
    return this.#worst;
  }

  /** Records that `what` was done at `doneMs`. */
  done(what: string, { atMs, waitedMs }: Due, doneMs: number): void {
    const allowedMs = this.#world.tolerance(waitedMs);
    const late = doneMs - atMs;
    if (late <= allowedMs || (this.#worst && late <= lateBy(this.#worst))) return;
    this.#worst = { what, dueMs: atMs, doneMs, allowedMs };
  }
}

const lateBy = ({ dueMs, doneMs }: Lateness): number => doneMs - dueMs;

/** Returns one line: `step 9 … was taken 1.02s late: due at 740ms, done at 1.762s; allowed 504ms`. */
export function latenessText(late: Lateness): string {
  const [by, due, done, allowed] = [lateBy(late), late.dueMs, late.doneMs, late.allowedMs].map(spanText);
  return `${late.what} ${by} late: due at ${due}, done at ${done}; allowed ${allowed}`;
}
