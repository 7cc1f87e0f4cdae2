import { spanOf, spanText } from '../format/duration.ts';
import type { Place, Step } from '../format/tree.ts';
import { isSeen, sightText } from './sight.ts';
import { StepFailure } from './step-failure.ts';
import { fillIn, fits, show, type Scope } from './values.ts';
import type { ScenarioWorld } from './world.ts';

export type StepOf<V extends Step['verb']> = Extract<Step, { verb: V }>;

/** What must never happen, from the step on that says so. */
interface Watch {
  readonly step: StepOf<'never'>;
  /** Events of the trace that were looked at. */
  seen: number;
}

/** One case of a scenario under way: its world, what its steps have named, and what is to be looked out for. */
export class Story {
  readonly world: ScenarioWorld;
  readonly #scope: Record<string, unknown>;
  readonly #labels = new Map<string, number>();
  readonly #mendings = new Map<string, () => void>();
  readonly #ending: { readonly at: number; readonly mend: () => void }[] = [];
  readonly #watches: Watch[] = [];
  #before = 0;

  constructor(world: ScenarioWorld, scope: Scope) {
    this.world = world;
    this.#scope = { ...scope };
  }

  /** A value with its references filled in. */
  fill(value: unknown): unknown {
    return fillIn(value, this.#scope);
  }

  get scope(): Scope {
    return this.#scope;
  }

  /** Keeps what an action gave, for `$name`. */
  keep(name: string | undefined, value: unknown): void {
    if (name !== undefined) this.#scope[name] = value;
  }

  /** A step is over: the next one's bounds count from `moment`. */
  stepEnded(label: string | undefined, moment: number): void {
    this.#lookOut();
    this.#before = moment;
    if (label !== undefined) this.#labels.set(label, moment);
  }

  /** Milliseconds of a span. @throws StepFailure where the value is none. */
  span(value: unknown, place: Place): number {
    const filled = this.fill(value);
    const ms = spanOf(filled);
    if (ms === undefined) throw new StepFailure(place, `${show(value)} is no span of time: ${show(filled)}`);
    return ms;
  }

  /** The moment that bounds count from: a label's, else the end of the step before. */
  since(label: string | undefined, place: Place): number {
    if (label === undefined) return this.#before;
    const at = this.#labels.get(label);
    if (at !== undefined) return at;
    throw new StepFailure(place, `there is no moment ${label} yet: no step before this one has that label`);
  }

  /** Looks out for what must never be, from now on. */
  watch(step: StepOf<'never'>): void {
    this.#watches.push({ step, seen: this.world.trace.length });
  }

  /** A fault is there: mended by its name, or after a while. */
  broken(
    mend: () => void,
    { as, forMs }: { readonly as?: string | undefined; readonly forMs?: number | undefined },
  ): void {
    if (as !== undefined) this.#mendings.set(as, mend);
    if (forMs !== undefined) this.#ending.push({ at: this.world.now + forMs, mend });
  }

  /** Mends the fault of this name. Returns whether there is one. */
  mend(name: string): boolean {
    const mend = this.#mendings.get(name);
    this.#mendings.delete(name);
    mend?.();
    return mend !== undefined;
  }

  /** Mends everything that is broken and can be mended. */
  mendAll(): void {
    for (const mend of [...this.#mendings.values(), ...this.#ending.splice(0).map(({ mend: undo }) => undo)]) mend();
    this.#mendings.clear();
  }

  /**
   * Lets `ms` pass, or less: until the condition holds. Faults whose time is over are mended on the way.
   *
   * @throws StepFailure of a `never` that came about.
   */
  async until(condition: () => boolean, ms: number): Promise<boolean> {
    const end = this.world.now + ms;
    const asked = () => {
      this.#lookOut();
      return condition();
    };
    for (;;) {
      const next = this.#ending.toSorted((a, b) => a.at - b.at)[0];
      const due = next !== undefined && next.at <= end ? next : undefined;
      if (await this.world.until(asked, Math.max(0, (due?.at ?? end) - this.world.now))) return true;
      if (!due) return false;
      this.#ending.splice(this.#ending.indexOf(due), 1);
      due.mend();
    }
  }

  #lookOut(): void {
    for (const watch of this.#watches) {
      const { never, place } = watch.step;
      if ('expect' in never) {
        const wanted = Object.entries(this.fill(never.expect) as Record<string, unknown>);
        if (wanted.every(([path, value]) => fits(this.world.read(path), value))) {
          throw new StepFailure(
            place,
            `this was never to be: ${show(Object.fromEntries(wanted))}, and it was after ${spanText(this.world.now)}`,
          );
        }
        continue;
      }
      for (; watch.seen < this.world.trace.length; watch.seen += 1) {
        const event = this.world.trace[watch.seen];
        if (event && isSeen(event, never, this.#scope)) {
          throw new StepFailure(
            place,
            `${sightText(never, this.#scope)} was never to be seen; it was after ${spanText(event.at)}`,
          );
        }
      }
    }
  }
}
