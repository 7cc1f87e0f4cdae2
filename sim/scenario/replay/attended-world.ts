import { WorldAround } from '../run/world-around.ts';
import type { ScenarioWorld } from '../run/world.ts';

/** The run is to go no further. */
export class Ended extends Error {}

/** Somebody who looks at a world while a scenario runs in it. */
export interface Attendant {
  /** The moment at which to stop, milliseconds since the run began. */
  readonly until?: number | undefined;
  /** Whether to stop now; asked whenever something happened. */
  isThere(world: ScenarioWorld): boolean;
  /**
   * Something happened, or it is the moment to stop. The world stands still until this resolves.
   *
   * @throws Ended where the run is to go no further.
   */
  happened(world: ScenarioWorld, isThere: boolean): Promise<void>;
  /** The run is over, one way or another: a last look before everything is cleared away. */
  closing(world: ScenarioWorld): void;
}

/** A world that stands still whenever something happened, until its attendant lets it go on: for worlds with no time of their own. */
export class AttendedWorld extends WorldAround {
  readonly #attendant: Attendant;
  #seen = 0;

  constructor(world: ScenarioWorld, attendant: Attendant) {
    super(world);
    this.#attendant = attendant;
  }

  override async until(condition: () => boolean, ms: number): Promise<boolean> {
    const { world } = this;
    const end = world.now + ms;
    for (;;) {
      let isSo = false;
      const asked = () => (isSo = condition()) || world.trace.length > this.#seen || this.#attendant.isThere(world);
      const stop = Math.min(end, this.#attendant.until ?? end);
      const hasNews = await world.until(asked, Math.max(0, stop - world.now));
      // All that is due at the moment to stop at belongs to it.
      await this.#look(!hasNews && world.now === this.#attendant.until);
      if (isSo) return true;
      if (!hasNews && world.now >= end) return false;
    }
  }

  /** Shows what happened since the last time, if anything did. */
  async #look(isMoment = false): Promise<void> {
    const { world } = this;
    const isThere = isMoment || this.#attendant.isThere(world);
    if (world.trace.length === this.#seen && !isThere) return;
    this.#seen = world.trace.length;
    await this.#attendant.happened(world, isThere);
  }

  override async close(): Promise<readonly string[]> {
    try {
      // Nobody has looked since the last step.
      await this.#look();
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
    this.#attendant.closing(this.world);
    return this.world.close();
  }
}
