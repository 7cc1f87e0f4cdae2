import { spanOf } from '../../format/duration.ts';
import type { Place } from '../../format/source.ts';
import { StepFailure } from './step.ts';
import { fillIn, show, type Scope } from '../format/values.ts';

/** The names that the case and its steps have defined, with their values. */
export class StoryScope {
  readonly #values: Record<string, unknown>;

  constructor(values: Scope) {
    this.#values = { ...values };
  }

  get values(): Scope {
    return this.#values;
  }

  /** Returns a value with its references filled in. */
  fill(value: unknown): unknown {
    return fillIn(value, this.#values);
  }

  /** Stores the result of an action, for `$name`. */
  keep(name: string | undefined, value: unknown): void {
    if (name !== undefined) this.#values[name] = value;
  }

  /** Returns the milliseconds of a span. @throws StepFailure when the value is none. */
  span(value: unknown, place: Place): number {
    const filled = this.fill(value);
    const ms = spanOf(filled);
    if (ms === undefined) throw new StepFailure(place, `${show(value)} is not a span of time: ${show(filled)}`);
    return ms;
  }
}
