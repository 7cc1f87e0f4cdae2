/** Time, and the only way to it: nothing else in the library reads a clock or starts a timer. */
export interface Clock {
  /** Milliseconds that only ever grow, from an arbitrary start: for measuring and for timers. */
  now(): number;
  /** Milliseconds since the epoch, as the host's clock says: for what people read. */
  wallTime(): number;
  /** Runs `run` once after `ms` milliseconds. Timers due at the same instant fire in the order they were started (D01). */
  after(ms: number, run: () => void): Timer;
  /** Runs `run` every `ms` milliseconds, first after `ms`. */
  every(ms: number, run: () => void): Timer;
}

export interface Timer {
  /** Stops the timer; stopping it again does nothing. */
  cancel(): void;
}
