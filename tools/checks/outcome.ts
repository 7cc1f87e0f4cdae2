/**
 * The result of a check. It passed when there are no faults. `looked` states how much it read, to show an empty check.
 */
export interface CheckOutcome {
  readonly faults: readonly string[];
  readonly looked: string;
}
