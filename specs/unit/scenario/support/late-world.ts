import type { Fault } from '../../../../sim/faults/vocabulary.ts';
import type { Acted, ScenarioWorld } from '../../../../sim/scenario/run/world.ts';
import type { TraceEvent } from '../../../../src/trace/events.ts';

/** A value that becomes visible in a {@link LateWorld} at a moment. */
interface Happening {
  readonly at: number;
  readonly path: string;
  readonly value: unknown;
}

/**
 * A world with a tolerance, as those on the wall clock have, whose clock is a number. A wait ends late by the time that
 * the test sets.
 */
export class LateWorld implements ScenarioWorld {
  readonly trace: TraceEvent[] = [];
  readonly acted: { readonly action: string; readonly at: number }[] = [];
  /** How late each wait that reaches its end is noticed, in milliseconds, one after another. Then 0. */
  readonly lateness: number[] = [];
  /** How long each action takes to begin, in milliseconds, one after another. Then 0. */
  readonly slowness: number[] = [];
  readonly #happenings: readonly Happening[];
  readonly #toleranceMs: number;
  #now = 0;
  #moment = 0;

  constructor(toleranceMs: number, happenings: readonly Happening[] = []) {
    this.#toleranceMs = toleranceMs;
    this.#happenings = happenings.toSorted((one, other) => one.at - other.at);
  }

  get now(): number {
    return this.#now;
  }

  get moment(): number {
    return this.#moment;
  }

  tolerance(): number {
    return this.#toleranceMs;
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    const end = this.#now + ms;
    const moments = [this.#now, ...this.#happenings.map(({ at }) => at).filter((at) => at > this.#now && at <= end)];
    for (const at of moments) {
      this.#now = at;
      this.#moment = at;
      if (condition()) return Promise.resolve(true);
    }
    this.#now = end + (ms > 0 ? (this.lateness.shift() ?? 0) : 0);
    this.#moment = this.#now;
    return Promise.resolve(condition());
  }

  read(path: string): unknown {
    return this.#happenings.findLast((one) => one.path === path && one.at <= this.#now)?.value;
  }

  act(_actor: string, action: string): Promise<Acted> {
    this.#now += this.slowness.shift() ?? 0;
    this.acted.push({ action, at: this.#now });
    return Promise.resolve({});
  }

  inject(_fault: Fault): () => void {
    return () => undefined;
  }

  note(): void {
    // No code reads this trace.
  }

  close(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}
