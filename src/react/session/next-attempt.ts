import type { Clock, Timer } from '../../common/clock.ts';
import type { Connectivity } from '../../common/connectivity.ts';
import type { ReadableStore } from '../../common/store.ts';
import { retryWaitMs } from '../../common/retry-wait.ts';

/** The next attempt to connect. */
export interface NextAttempt {
  /**
   * Calls `attempt` after the backoff, or earlier when the network, the socket of the host or the user returns. Without a
   * network, the attempt waits for the network. The caller cancels the schedule in it.
   */
  schedule(attempt: () => void): void;
  cancel(): void;
  /** Starts the backoff again. */
  reset(): void;
}

interface Dependencies {
  readonly connectivity: Connectivity;
  /** True while another socket of the host is connected, see `SessionPorts`. */
  readonly live: ReadableStore<boolean>;
  readonly clock: Clock;
  random(): number;
}

/** Creates the schedule of the next attempt, without one. */
export function createNextAttempt({ clock, connectivity, live, random }: Dependencies): NextAttempt {
  let failures = 0;
  let undo: readonly (() => void)[] = [];
  let timer: Timer | undefined;

  return {
    schedule(attempt) {
      undo = [
        connectivity.subscribe(() => {
          if (connectivity.isOnline()) attempt();
        }),
        live.subscribe(() => {
          if (live.get()) attempt();
        }),
        connectivity.onReturn(attempt),
      ];
      if (connectivity.isOnline()) timer = clock.after(retryWaitMs(failures++, random), attempt);
    },
    cancel() {
      for (const stop of undo) stop();
      undo = [];
      timer?.cancel();
      timer = undefined;
    },
    reset: () => void (failures = 0),
  };
}
