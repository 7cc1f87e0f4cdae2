/** The clock and timers of the library. No other part reads a clock or starts a timer. */
export interface Clock {
  /** Returns milliseconds that only grow, from an arbitrary start: for measuring and for timers. */
  now(): number;
  /** Returns milliseconds since the epoch by the host's clock: for users to read. */
  wallTime(): number;
  /**
   * Runs `run` once after `ms` milliseconds. Timers due at the same instant fire in the order they were started (D01).
   */
  after(ms: number, run: () => void): Timer;
  /** Runs `run` every `ms` milliseconds, first after `ms`. */
  every(ms: number, run: () => void): Timer;
}

export interface Timer {
  /** Stops the timer; stopping it again does nothing. */
  cancel(): void;
}
