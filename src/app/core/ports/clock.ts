/** The time. Injected, so that a test moves it by hand and never sleeps. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `ms`. Returns the cancellation. */
  after(ms: number, task: () => void): () => void;
}
