import { fileURLToPath } from 'node:url';
import type { KitLine } from './kit-messages.ts';

/** The error of a world: a wrong use, or an expectation that did not come true. The message is one line. */
export class WorldError extends Error {
  /** The code of a refusal by the exchange. Absent for any other error. */
  readonly code?: number;

  constructor(message: string, code?: number) {
    super(message);
    this.name = 'WorldError';
    if (code !== undefined) this.code = code;
  }
}

/** The place in a frame: `at run (PLACE)`, `at PLACE` or `at async PLACE`. A path may have spaces and brackets. */
const FRAME = /^\s*at (?:async )?(?:[^/(]*\()?(.+):(\d+):\d+\)?$/;

/** The place in a test from which a function of a world was called. */
export class CallSite {
  readonly #frames: string;

  /** @param called - the function: its own frames, and those below it, are left out. */
  constructor(called: (...args: never[]) => unknown) {
    const here: { stack?: string } = {};
    Error.captureStackTrace(here, called);
    this.#frames = here.stack?.split('\n').slice(1).join('\n') ?? '';
  }

  /** The line of the test. Undefined if the engine does not report it. */
  get line(): KitLine | undefined {
    const [, file, line] = FRAME.exec(this.#frames.split('\n')[0] ?? '') ?? [];
    if (file === undefined) return undefined;
    // Only a URL is encoded: a folder may be named `100% done`.
    return { file: file.startsWith('file://') ? fileURLToPath(file) : file, line: Number(line) };
  }

  /** Returns an error that points to the line of the test. */
  error(message: string, code?: number): WorldError {
    const error = new WorldError(message, code);
    error.stack = `${error.name}: ${message}\n${this.#frames}`;
    return error;
  }
}
