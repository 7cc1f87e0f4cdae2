import { spanOf, spanText } from '../../format/duration.ts';
import type { Place } from '../../format/source.ts';
import type { Step } from '../format/tree.ts';
import { type Due, type Lateness, LateSteps } from './lateness.ts';
import { matchesPattern, patternText } from './event-pattern.ts';
import { StepFailure } from './step-failure.ts';
import { fillIn, fits, show, type Scope } from './values.ts';
import type { ScenarioWorld } from './world.ts';

export type StepOf<V extends Step['verb']> = Extract<Step, { verb: V }>;

/** A forbidden event or value, from its step on. */
interface Watch {
  readonly step: StepOf<'never'>;
  /** The number of trace events that were checked. */
  seen: number;
}

/** A case of a scenario under way: its world, the names that its steps have defined, and the forbidden events. */
export class Story {
  readonly world: ScenarioWorld;
  readonly #scope: Record<string, unknown>;
  readonly #labels = new Map<string, number>();
  readonly #mendings = new Map<string, () => void>();
  readonly #ending: (Due & { readonly what: string; readonly mend: () => void })[] = [];
  readonly #watches: Watch[] = [];
  readonly #late: LateSteps;
  #before = 0;
  #due: Due = { atMs: 0, waitedMs: 0 };

  constructor(world: ScenarioWorld, scope: Scope) {
    this.world = world;
    this.#late = new LateSteps(world);
    this.#scope = { ...scope };
  }

  /** Returns a value with its references filled in. */
  fill(value: unknown): unknown {
    return fillIn(value, this.#scope);
  }

  get scope(): Scope {
    return this.#scope;
  }

  /** Stores the result of an action, for `$name`. */
  keep(name: string | undefined, value: unknown): void {
    if (name !== undefined) this.#scope[name] = value;
  }

  /** Returns what the runner did too late, by most. Undefined if it was in time. */
  get late(): Lateness | undefined {
    return this.#late.worst;
  }

  /** Records that the current step is taken at this moment. What follows it at once is due then. */
  taken(what: string, moment = this.world.now): void {
    this.#late.done(`${what} was taken`, this.#due, moment);
    this.#due = { atMs: moment, waitedMs: 0 };
  }

  /** Records that a wait begins: what follows it is due after the wait. */
  waits(ms: number): void {
    const { atMs, waitedMs } = this.#due;
    this.#due = { atMs: atMs + ms, waitedMs: waitedMs + ms };
  }

  /** Records that something became true at this moment: what follows it is due then. */
  cameTrue(moment: number): void {
    this.#due = { atMs: moment, waitedMs: 0 };
  }

  /** Records the end of a step: the bounds of the next one count from `moment`. */
  stepEnded(label: string | undefined, moment: number): void {
    this.#lookOut();
    this.#before = moment;
    if (label !== undefined) this.#labels.set(label, moment);
  }

  /** Returns the milliseconds of a span. @throws StepFailure when the value is none. */
  span(value: unknown, place: Place): number {
    const filled = this.fill(value);
    const ms = spanOf(filled);
    if (ms === undefined) throw new StepFailure(place, `${show(value)} is not a span of time: ${show(filled)}`);
    return ms;
  }

  /** Returns the moment that bounds count from: a label's, else the end of the previous step. */
  since(label: string | undefined, place: Place): number {
    if (label === undefined) return this.#before;
    const at = this.#labels.get(label);
    if (at !== undefined) return at;
    throw new StepFailure(place, `there is no moment ${label} yet: no step before this one has that label`);
  }

  /** Watches for a forbidden event or value, from now on. */
  watch(step: StepOf<'never'>): void {
    this.#watches.push({ step, seen: this.world.trace.length });
  }

  /** Registers a fault. It ends by its name, or after a while. */
  broken(
    what: string,
    mend: () => void,
    { as, forMs }: { readonly as?: string | undefined; readonly forMs?: number | undefined },
  ): void {
    if (as !== undefined) this.#mendings.set(as, mend);
    if (forMs !== undefined) this.#ending.push({ what, atMs: this.world.now + forMs, waitedMs: forMs, mend });
  }

  /** Ends the fault of this name. Returns whether there is one. */
  mend(name: string): boolean {
    const mend = this.#mendings.get(name);
    this.#mendings.delete(name);
    mend?.();
    return mend !== undefined;
  }

  /** Ends every fault that can end. */
  mendAll(): void {
    for (const mend of [...this.#mendings.values(), ...this.#ending.splice(0).map(({ mend: undo }) => undo)]) mend();
    this.#mendings.clear();
  }

  /**
   * Lets `ms` milliseconds pass, or less: until the condition holds. Faults whose time is over end meanwhile.
   * @throws StepFailure for a `never` that happened.
   */
  async until(condition: () => boolean, ms: number): Promise<boolean> {
    const end = this.world.now + ms;
    const asked = () => {
      this.#lookOut();
      return condition();
    };
    for (;;) {
      const next = this.#ending.toSorted((a, b) => a.atMs - b.atMs)[0];
      const due = next !== undefined && next.atMs <= end ? next : undefined;
      if (await this.world.until(asked, Math.max(0, (due?.atMs ?? end) - this.world.now))) return true;
      if (!due) return false;
      this.#ending.splice(this.#ending.indexOf(due), 1);
      this.#late.done(`the fault ${due.what} was mended`, due, this.world.now);
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
            `this must never hold: ${show(Object.fromEntries(wanted))}; it held after ${spanText(this.world.now)}`,
          );
        }
        continue;
      }
      for (; watch.seen < this.world.trace.length; watch.seen += 1) {
        const event = this.world.trace[watch.seen];
        if (event && matchesPattern(event, never, this.#scope)) {
          throw new StepFailure(
            place,
            `${patternText(never, this.#scope)} must never be seen; it was seen after ${spanText(event.at)}`,
          );
        }
      }
    }
  }
}
