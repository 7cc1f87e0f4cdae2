/** What a check found. No faults means that it passed; `looked` says how much it read, so that a check that read nothing shows. */
export interface CheckOutcome {
  readonly faults: readonly string[];
  readonly looked: string;
}
