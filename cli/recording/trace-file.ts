/** A trace file that is written and read line by line, because it may be larger than memory. */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import type { TraceEvent } from '../../src/trace/events.ts';
import { traceLine } from '../../sim/scenario/trace/masked-trace.ts';

const CHUNK_BYTES = 64 * 1024;

export class TraceFile {
  readonly path: string;
  readonly #file: number;

  /** @throws Error of the system when the file exists already, or cannot be created. */
  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'wx', 0o600);
  }

  /**
   * Writes an event at once, with its secrets masked, so that a crash later loses nothing. @throws Error of the system
   */
  write(event: TraceEvent): void {
    writeSync(this.#file, `${traceLine(event)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Deletes the file of an empty recording. */
  discard(): void {
    this.close();
    unlinkSync(this.path);
  }

  /** Yields the events in order. */
  *events(): Generator<TraceEvent> {
    const file = openSync(this.path, 'r');
    try {
      const decoder = new TextDecoder();
      const chunk = Buffer.alloc(CHUNK_BYTES);
      let rest = '';
      for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
        const lines = `${rest}${decoder.decode(chunk.subarray(0, size), { stream: true })}`.split('\n');
        rest = lines.pop() ?? '';
        // Only this class writes the file.
        for (const line of lines) yield JSON.parse(line) as TraceEvent;
      }
    } finally {
      closeSync(file);
    }
  }
}
