import type { Place } from '../../format/source.ts';
import { type Due, type Lateness, LateSteps } from './lateness.ts';
import { RunningFaults } from './running-faults.ts';
import { LateRefusals } from './late-refusals.ts';
import { StepFailure } from './step.ts';
import { StoryScope } from './story-scope.ts';
import type { Scope } from '../format/values.ts';
import { Watches } from './watches.ts';
import type { ScenarioWorld } from './world.ts';

/** A case of a scenario under way: its world, the moments of its steps, and what the steps have defined. */
export class Story {
  readonly world: ScenarioWorld;
  readonly scope: StoryScope;
  readonly faults = new RunningFaults();
  readonly watches: Watches;
  readonly refusals: LateRefusals;
  readonly #labels = new Map<string, number>();
  readonly #late: LateSteps;
  #before = 0;
  #due: Due = { atMs: 0, waitedMs: 0 };

  constructor(world: ScenarioWorld, values: Scope) {
    this.world = world;
    this.scope = new StoryScope(values);
    this.watches = new Watches(world, this.scope);
    this.refusals = new LateRefusals(world);
    this.#late = new LateSteps(world);
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
    this.#check();
    this.#before = moment;
    if (label !== undefined) this.#labels.set(label, moment);
  }

  /** Returns the moment that bounds count from: a label's, else the end of the previous step. */
  since(label: string | undefined, place: Place): number {
    if (label === undefined) return this.#before;
    const at = this.#labels.get(label);
    if (at !== undefined) return at;
    throw new StepFailure(place, `there is no moment ${label} yet: no step before this one has that label`);
  }

  /**
   * Lets `ms` milliseconds pass, or less: until the condition holds. Faults whose time is over end meanwhile.
   * @throws StepFailure for a `never` that happened, and for the refusal of an earlier action.
   */
  async until(condition: () => boolean, ms: number): Promise<boolean> {
    const end = this.world.now + ms;
    const asked = () => {
      this.#check();
      return condition();
    };
    for (;;) {
      const due = this.faults.nextBy(end);
      if (await this.world.until(asked, Math.max(0, (due?.atMs ?? end) - this.world.now))) return true;
      if (!due) return false;
      this.#late.done(`the fault ${due.what} was mended`, due, this.world.now);
      this.faults.end(due);
    }
  }

  /**
   * Waits for the answers of actions whose steps have ended, for at most `ms` milliseconds.
   * @throws StepFailure for a refusal that no step permits.
   */
  async answered(ms: number): Promise<void> {
    const isOver = () => !this.refusals.areAwaited;
    if (!isOver()) await this.until(isOver, ms);
  }

  #check(): void {
    this.watches.check();
    this.refusals.check();
  }
}
