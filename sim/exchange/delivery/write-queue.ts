import type { Log } from '../logging/log.ts';
import type { Clock } from '../../../src/common/clock.ts';

/** The most queued writes. Above it the oldest are dropped first. */
const WAITING = 10_000;
/** The time after which a failing write is dropped, milliseconds. So it does not block the others for ever. */
const GIVE_UP_MS = 3_600_000;

interface Write {
  /** The name of the write in the log. */
  readonly what: string;
  readonly run: () => Promise<void>;
  failedAt: number | null;
}

/**
 * Writes to the store in order and asynchronously. Calls do not wait for a write, and survive its failure. A failed
 * write is retried with the next write, or before the next read.
 */
export class WriteQueue {
  readonly #log: Pick<Log, 'error'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #waiting: Write[] = [];
  #writing: Promise<void> | null = null;
  #progress: () => void = () => undefined;
  #asked = 0;
  #done = 0;
  #isFailing = false;

  constructor(log: Pick<Log, 'error'>, clock: Pick<Clock, 'now'>) {
    this.#log = log;
    this.#clock = clock;
  }

  /** The number of queued writes so far. */
  get asked(): number {
    return this.#asked;
  }

  /** The number of writes that are done or dropped. */
  get done(): number {
    return this.#done;
  }

  /** True when the store failed the last write. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** True when a caller need not wait: everything is written, or the store fails. */
  get isSettled(): boolean {
    return this.#isFailing || this.#done === this.#asked;
  }

  /** Sets the only listener. It is called when a write is done and when one fails. */
  onProgress(listener: () => void): void {
    this.#progress = listener;
  }

  keep(what: string, run: () => Promise<void>): void {
    this.#asked += 1;
    this.#waiting.push({ what, run, failedAt: null });
    if (this.#waiting.length > WAITING) this.#giveUp();
    void this.settled();
  }

  /** Resolves when all writes so far are done, or the store fails. Never rejects. */
  settled(): Promise<void> {
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // `#writing` must be set first.
    await Promise.resolve();
    let isTaken = true;
    while (isTaken && this.#waiting.length > 0) isTaken = await this.#writeFirst();
    this.#writing = null;
  }

  /** Writes the oldest write. Resolves with true when the next one may follow. */
  async #writeFirst(): Promise<boolean> {
    const [write] = this.#waiting;
    if (!write) return false;
    try {
      await write.run();
      this.#isFailing = false;
      // The write may have been dropped meanwhile.
      if (this.#waiting[0] === write) this.#settle();
      return true;
    } catch (error) {
      const now = this.#clock.now();
      write.failedAt ??= now;
      this.#log.error('the store failed', { write: write.what, error });
      this.#isFailing = true;
      this.#progress();
      if (now - write.failedAt < GIVE_UP_MS) return false;
      if (this.#waiting[0] === write) this.#giveUp();
      return true;
    }
  }

  #settle(): Write | undefined {
    const settled = this.#waiting.shift();
    if (settled) this.#done += 1;
    this.#progress();
    return settled;
  }

  #giveUp(): void {
    const lost = this.#settle();
    if (lost) this.#log.error('a write was dropped', { write: lost.what });
  }
}
