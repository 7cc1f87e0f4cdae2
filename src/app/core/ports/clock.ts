/** The clock and its timers. It is injected, so that a test sets the time and never sleeps. */
export interface Clock {
  /** Returns the wall time in milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `ms` milliseconds. Returns the function that cancels it. */
  after(ms: number, task: () => void): () => void;
}
