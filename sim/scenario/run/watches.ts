import { spanText } from '../../format/duration.ts';
import type { EventPattern } from '../format/tree.ts';
import { matchesPattern, patternText } from './event-pattern.ts';
import { StepFailure, type StepOf } from './step.ts';
import type { StoryScope } from './story-scope.ts';
import { fits, show } from '../format/values.ts';
import type { ScenarioWorld } from './world.ts';

/** A forbidden event or value, from its step on. */
interface Watch {
  readonly step: StepOf<'never'>;
  /** The number of trace events that were checked. */
  seen: number;
}

/** The events and values that the steps of a case have forbidden. */
export class Watches {
  readonly #world: Pick<ScenarioWorld, 'now' | 'read' | 'trace'>;
  readonly #scope: StoryScope;
  readonly #watches: Watch[] = [];

  constructor(world: Pick<ScenarioWorld, 'now' | 'read' | 'trace'>, scope: StoryScope) {
    this.#world = world;
    this.#scope = scope;
  }

  /** Watches for a forbidden event or value, from now on. */
  add(step: StepOf<'never'>): void {
    this.#watches.push({ step, seen: this.#world.trace.length });
  }

  /** Checks the values, and the events since the last check. @throws StepFailure for a `never` that happened. */
  check(): void {
    for (const watch of this.#watches) {
      const { never } = watch.step;
      if ('expect' in never) this.#checkValues(watch.step, never.expect);
      else this.#checkEvents(watch, never);
    }
  }

  #checkValues({ place }: StepOf<'never'>, forbidden: Readonly<Record<string, unknown>>): void {
    const wanted = Object.entries(this.#scope.fill(forbidden) as Record<string, unknown>);
    if (!wanted.every(([path, value]) => fits(this.#world.read(path), value))) return;
    throw new StepFailure(
      place,
      `this must never hold: ${show(Object.fromEntries(wanted))}; it held after ${spanText(this.#world.now)}`,
    );
  }

  #checkEvents(watch: Watch, forbidden: EventPattern): void {
    for (; watch.seen < this.#world.trace.length; watch.seen += 1) {
      const event = this.#world.trace[watch.seen];
      if (!event || !matchesPattern(event, forbidden, this.#scope.values)) continue;
      throw new StepFailure(
        watch.step.place,
        `${patternText(forbidden, this.#scope.values)} must never be seen; it was seen after ${spanText(event.at)}`,
      );
    }
  }
}
