import { WorldAround } from '../run/world-around.ts';
import type { ScenarioWorld } from '../run/world.ts';

/** The error that stops a run early. */
export class Ended extends Error {}

/** An observer of a world while a scenario runs in it. */
export interface Attendant {
  /** The moment at which to stop, in milliseconds since the run began. */
  readonly until?: number | undefined;
  /** Returns whether to stop now. Called after every event. */
  isThere(world: ScenarioWorld): boolean;
  /**
   * Called after every event, and at the moment to stop. The world waits until the promise resolves.
   * @throws Ended to stop the run.
   */
  happened(world: ScenarioWorld, isThere: boolean): Promise<void>;
  /** Called when the run is over for any reason, before the world is cleared. */
  closing(world: ScenarioWorld): void;
}

/** A world that waits for its observer after every event. It suits worlds on a virtual clock. */
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
      // Everything that is due at the moment to stop belongs to it.
      await this.#look(!hasNews && world.now === this.#attendant.until);
      if (isSo) return true;
      if (!hasNews && world.now >= end) return false;
    }
  }

  /** Notifies the observer of the events since the last time, if there are any. */
  async #look(isMoment = false): Promise<void> {
    const { world } = this;
    const isThere = isMoment || this.#attendant.isThere(world);
    if (world.trace.length === this.#seen && !isThere) return;
    this.#seen = world.trace.length;
    await this.#attendant.happened(world, isThere);
  }

  override async close(): Promise<readonly string[]> {
    try {
      // The observer has not seen the events since the last step.
      await this.#look();
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
    this.#attendant.closing(this.world);
    return this.world.close();
  }
}
