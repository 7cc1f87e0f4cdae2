import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A window of measurement. Milliseconds. */
const WINDOW_MS = 10_000;
/** How often the delay is sampled. Milliseconds. */
const SAMPLE_MS = 20;
const NANOSECONDS = 1e6;

/** How late the event loop ran its timers in the last window, milliseconds. */
export interface LoopDelay {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Measures how long the event loop is kept from its next turn: what every request and every call waits for. */
export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  readonly #rotation: NodeJS.Timeout;
  #last: LoopDelay = { p99Ms: 0, maxMs: 0 };

  constructor() {
    this.#histogram.enable();
    this.#rotation = setInterval(() => {
      this.#last = this.#now();
      this.#histogram.reset();
    }, WINDOW_MS);
    this.#rotation.unref();
  }

  /** The worse of the last whole window and the one that is being measured. */
  read(): LoopDelay {
    const now = this.#now();
    return { p99Ms: Math.max(now.p99Ms, this.#last.p99Ms), maxMs: Math.max(now.maxMs, this.#last.maxMs) };
  }

  stop(): void {
    clearInterval(this.#rotation);
    this.#histogram.disable();
  }

  /** The histogram counts the sampling interval itself. */
  #now(): LoopDelay {
    const late = (nanoseconds: number): number =>
      Number.isFinite(nanoseconds) ? Math.max(0, Math.round(nanoseconds / NANOSECONDS) - SAMPLE_MS) : 0;
    return this.#histogram.count === 0
      ? { p99Ms: 0, maxMs: 0 }
      : { p99Ms: late(this.#histogram.percentile(99)), maxMs: late(this.#histogram.max) };
  }
}
