import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The length of a measurement window. Milliseconds. */
const WINDOW_MS = 10_000;
/** The interval between samples. Milliseconds. */
const SAMPLE_MS = 20;
const NANOSECONDS = 1e6;

/** How late the event loop ran its timers in the last window. Milliseconds. */
export interface LoopDelay {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** A measurement of the event loop's delay, which every request and every call waits for. */
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

  /** Returns the worse of the last whole window and the current one. */
  read(): LoopDelay {
    const now = this.#now();
    return { p99Ms: Math.max(now.p99Ms, this.#last.p99Ms), maxMs: Math.max(now.maxMs, this.#last.maxMs) };
  }

  stop(): void {
    clearInterval(this.#rotation);
    this.#histogram.disable();
  }

  /** Returns the delay of the current window. The histogram includes the sampling interval, which is subtracted. */
  #now(): LoopDelay {
    const late = (nanoseconds: number): number =>
      Number.isFinite(nanoseconds) ? Math.max(0, Math.round(nanoseconds / NANOSECONDS) - SAMPLE_MS) : 0;
    return this.#histogram.count === 0
      ? { p99Ms: 0, maxMs: 0 }
      : { p99Ms: late(this.#histogram.percentile(99)), maxMs: late(this.#histogram.max) };
  }
}
