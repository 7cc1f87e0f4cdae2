/** The line of source code that defined a part of a scenario. */
export interface Line {
  readonly file: string;
  /** The line number, from 1. */
  readonly line: number;
}

/** A scenario built in TypeScript: the same document as a YAML file, and the place of each part. */
export class BuiltScenario {
  readonly document: Readonly<Record<string, unknown>>;
  /** The line of `scenario(`. Absent if the engine does not report it. */
  readonly head: Line | undefined;
  /** The line of each step. */
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
