import { HEARTBEAT_MS, SILENCE_MS } from '../../../protocol/product/heartbeat.ts';
import type { Clock, Timer } from '../../../common/clock.ts';

/** A watch of an open socket, to which the server sends a heartbeat more often than `SILENCE_MS`. */
export interface SilenceWatch {
  /** Starts the wait again, since the socket has opened or sent a message. */
  heard(): void;
  /** Returns whether the last message is recent, so that the socket counts as alive. */
  isFresh(): boolean;
  stop(): void;
}

/** Milliseconds since the last message within which a socket counts as alive when the page is shown again. */
const FRESH_MS = HEARTBEAT_MS + 2_000;

/** Creates a watch that has not begun. Calls `onSilence` after a silence of `SILENCE_MS`. */
export function createSilenceWatch(clock: Clock, onSilence: () => void): SilenceWatch {
  let timer: Timer | undefined;
  /** The wall time of the last message, in milliseconds. Wall time also passes while the machine sleeps. */
  let heardAt = 0;
  return {
    heard() {
      heardAt = clock.wallTime();
      timer?.cancel();
      timer = clock.after(SILENCE_MS, onSilence);
    },
    // The clock may have been set back in the meantime.
    isFresh: () => Math.abs(clock.wallTime() - heardAt) <= FRESH_MS,
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}
