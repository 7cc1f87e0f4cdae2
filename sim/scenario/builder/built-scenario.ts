const FRAME = /\(?(?:file:\/\/)?([^\s()]+):(\d+):\d+\)?$/;
const HERE = folderOf(FRAME.exec(new Error('here').stack?.split('\n')[1] ?? '')?.[1] ?? '');

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

/** Returns the running line outside of this folder. Undefined if the engine does not report it. */
export function callerLine(): Line | undefined {
  for (const frame of new Error('there').stack?.split('\n').slice(1) ?? []) {
    const [, file, line] = FRAME.exec(frame) ?? [];
    if (file !== undefined && folderOf(file) !== HERE) return { file: decodeURI(file), line: Number(line) };
  }
  return undefined;
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}
