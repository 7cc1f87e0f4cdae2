import type { DebugLogLine } from '../../protocol/client-logs.ts';
import { LIMITS } from '../../protocol/limits.ts';

/** The content of a buffer, oldest first, and whether older lines were lost. */
export interface TakenLines {
  readonly entries: readonly DebugLogLine[];
  readonly overflowed: boolean;
}

/** The newest lines, at most {@link LIMITS.logEntries}. The buffer remembers that it dropped an older line. */
export class LogBuffer {
  #entries: DebugLogLine[] = [];
  #overflowed = false;

  add(entry: DebugLogLine): void {
    this.#entries.push(entry);
    this.#trim();
  }

  /** Empties the buffer. Returns its lines, and whether lines were lost since the last time. */
  take(): TakenLines {
    const taken = { entries: this.#entries, overflowed: this.#overflowed };
    this.#entries = [];
    this.#overflowed = false;
    return taken;
  }

  /** Puts back lines that were taken, before the newer ones. */
  putBack({ entries, overflowed }: TakenLines): void {
    this.#entries = [...entries, ...this.#entries];
    this.#overflowed ||= overflowed;
    this.#trim();
  }

  #trim(): void {
    const surplus = this.#entries.length - LIMITS.logEntries;
    if (surplus <= 0) return;
    this.#entries.splice(0, surplus);
    this.#overflowed = true;
  }
}
