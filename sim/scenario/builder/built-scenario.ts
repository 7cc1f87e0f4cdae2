/** Where a line of a scenario was told from. */
export interface Line {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A scenario as TypeScript has told it: the same document that a YAML file holds, and where each part comes from. */
export class BuiltScenario {
  readonly document: Readonly<Record<string, unknown>>;
  /** Where `scenario(` stands; absent where the engine does not tell. */
  readonly head: Line | undefined;
  /** Where each step was told. */
  readonly steps: readonly (Line | undefined)[];

  constructor(
    document: Readonly<Record<string, unknown>>,
    head: Line | undefined,
    steps: readonly (Line | undefined)[],
  ) {
    this.document = document;
    this.head = head;
    this.steps = steps;
  }
}
