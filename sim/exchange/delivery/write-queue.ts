import type { Log } from '../logging/log.ts';
import type { Clock } from '../ports.ts';

/** Writes that wait at most; the oldest go first. */
const WAITING = 10_000;
/** A write that the store does not take for this long is given up, so that it does not hold up the others for ever. */
const GIVE_UP_MS = 3_600_000;

interface Write {
  /** For the log. */
  readonly what: string;
  readonly run: () => Promise<void>;
  failedAt: number | null;
}

/**
 * What is to be kept goes to the store in order and behind the calls' backs: none waits for it, and none breaks with it.
 * A write that failed is tried again with the next one, or before the next read.
 */
export class WriteQueue {
  readonly #log: Pick<Log, 'error'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #waiting: Write[] = [];
  #writing: Promise<void> | null = null;
  #progress: () => void = () => undefined;
  #asked = 0;
  #done = 0;
  #isFailing = false;

  constructor(log: Pick<Log, 'error'>, clock: Pick<Clock, 'monotonic'>) {
    this.#log = log;
    this.#clock = clock;
  }

  /** How many writes were asked for. */
  get asked(): number {
    return this.#asked;
  }

  /** How many of them are done, or given up. */
  get done(): number {
    return this.#done;
  }

  /** The store did not take the last write. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Nothing is to be waited for: everything is written, or the store takes nothing. */
  get isSettled(): boolean {
    return this.#isFailing || this.#done === this.#asked;
  }

  /** Calls the listener, the only one, when a write is done and when one fails. */
  onProgress(listener: () => void): void {
    this.#progress = listener;
  }

  keep(what: string, run: () => Promise<void>): void {
    this.#asked += 1;
    this.#waiting.push({ what, run, failedAt: null });
    if (this.#waiting.length > WAITING) this.#giveUp();
    void this.settled();
  }

  /** Resolves when everything so far has been written, or the store does not take it. Never rejects. */
  settled(): Promise<void> {
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Not before `#writing` is set.
    await Promise.resolve();
    let isTaken = true;
    while (isTaken && this.#waiting.length > 0) isTaken = await this.#writeFirst();
    this.#writing = null;
  }

  /** Whether to go on with the next. */
  async #writeFirst(): Promise<boolean> {
    const [write] = this.#waiting;
    if (!write) return false;
    try {
      await write.run();
      this.#isFailing = false;
      // It may have been given up meanwhile.
      if (this.#waiting[0] === write) this.#settle();
      return true;
    } catch (error) {
      const now = this.#clock.monotonic();
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
    if (lost) this.#log.error('a write is given up', { write: lost.what });
  }
}
