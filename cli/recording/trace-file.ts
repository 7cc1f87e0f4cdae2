/** A trace that is written line by line as it comes, and read again the same way: it may be longer than memory. */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import type { TraceEvent } from '../../sim/scenario/trace/trace.ts';
import { traceLine } from '../../sim/scenario/trace/trace.ts';

const CHUNK_BYTES = 64 * 1024;

export class TraceFile {
  readonly path: string;
  readonly #file: number;

  /** @throws Error of the system where the file is there already, or cannot be made. */
  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'wx', 0o600);
  }

  /** Written at once, masked: what has come is there whatever happens next. @throws Error of the system */
  write(event: TraceEvent): void {
    writeSync(this.#file, `${traceLine(event)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Nothing came of it: the file goes. */
  discard(): void {
    this.close();
    unlinkSync(this.path);
  }

  /** The events, one after another. */
  *events(): Generator<TraceEvent> {
    const file = openSync(this.path, 'r');
    try {
      const decoder = new TextDecoder();
      const chunk = Buffer.alloc(CHUNK_BYTES);
      let rest = '';
      for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
        const lines = `${rest}${decoder.decode(chunk.subarray(0, size), { stream: true })}`.split('\n');
        rest = lines.pop() ?? '';
        // Written by this class alone.
        for (const line of lines) yield JSON.parse(line) as TraceEvent;
      }
    } finally {
      closeSync(file);
    }
  }
}
