import { spanText } from '../format/duration.ts';
import type { ScenarioWorld } from './world.ts';

/** Something that the runner did too late, and so maybe not what the story is about. Times are milliseconds since the story began. */
export interface Lateness {
  /** What was late, in words: `step 9, alice.end (mine.yaml:12), was taken`. */
  readonly what: string;
  readonly dueMs: number;
  readonly doneMs: number;
  /** How late it may be: the world's tolerance of the wait that led to it. */
  readonly allowedMs: number;
}

/** A moment at which the runner is to do something, and how long it waits for it: a long wait may be off by more. */
export interface Due {
  readonly atMs: number;
  readonly waitedMs: number;
}

/** Compares moments with those that were due. In virtual time they are always the same. */
export class LateSteps {
  readonly #world: Pick<ScenarioWorld, 'tolerance'>;
  #worst: Lateness | undefined;

  constructor(world: Pick<ScenarioWorld, 'tolerance'>) {
    this.#world = world;
  }

  /** What was late by most; undefined where nothing was later than it may be. */
  get worst(): Lateness | undefined {
    return this.#worst;
  }

  /** Notes that `what` was done at `doneMs`. */
  done(what: string, { atMs, waitedMs }: Due, doneMs: number): void {
    const allowedMs = this.#world.tolerance(waitedMs);
    const late = doneMs - atMs;
    if (late <= allowedMs || (this.#worst && late <= lateBy(this.#worst))) return;
    this.#worst = { what, dueMs: atMs, doneMs, allowedMs };
  }
}

const lateBy = ({ dueMs, doneMs }: Lateness): number => doneMs - dueMs;

/** One line: `step 9 … was taken 1.02s late: due at 740ms, done at 1.762s; allowed 504ms`. */
export function latenessText(late: Lateness): string {
  const [by, due, done, allowed] = [lateBy(late), late.dueMs, late.doneMs, late.allowedMs].map(spanText);
  return `${late.what} ${by} late: due at ${due}, done at ${done}; allowed ${allowed}`;
}
