/** The clock and its timers. No other part reads a clock or starts a timer, so that a test or a simulation sets the time. */
export interface Clock {
  /** Returns milliseconds that only grow, from an arbitrary start: for measuring and for timers. */
  now(): number;
  /** Returns milliseconds since the epoch by the host's clock, which can be set: for users to read and for records. */
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
