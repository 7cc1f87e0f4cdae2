import type { Scenario } from '../format/tree.ts';
import type { ScenarioWorld } from '../run/world.ts';
import type { Aftermath, Violation } from '../invariants/aftermath.ts';

/** A kind of story that is drawn from seeds, played, and checked. */
export interface Model {
  /** Returns the story of a seed. The same seed gives the same story. */
  draw(seed: number): Scenario;
  /** The values of each device, and of the exchange, that the check reads. */
  readonly values: readonly string[];
  readonly serverValues: readonly string[];
  /**
   * Lets a story settle after its last step, when all faults are cleared, and ends it. Returns the invariants that
   * only a live story shows to be broken.
   */
  settle(world: ScenarioWorld, devices: readonly string[]): Promise<readonly Violation[]>;
  /** Returns the invariants that the story broke. */
  check(after: Aftermath): readonly Violation[];
}
