import { TIMES } from '../../protocol/limits.ts';
import type { Clock, Timer } from '../../common/clock.ts';

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Sends a heartbeat to the exchange. */
  readonly ask: () => void;
  /** Runs when nothing came after a heartbeat: the other end of the socket is gone. */
  readonly dead: () => void;
}

/**
 * The heartbeat of one open socket (ADR 0024). A page does not see the pings of a websocket, so the library sends
 * heartbeats: after a silence of 10 s, or 3 s after a command that nothing followed. Any frame of the exchange is a
 * sign of life.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #next: { readonly at: number; readonly timer: Timer } | null = null;
  #limit: Timer | null = null;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Records that the exchange sent something, or that the socket has just opened. */
  heard(): void {
    this.stop();
    this.#askIn(TIMES.heartbeatMs);
  }

  /** Records that the client sent a command. */
  sent(): void {
    const soon = this.#options.clock.now() + TIMES.heartbeatProbeMs;
    if (this.#next && this.#next.at > soon) this.#askIn(TIMES.heartbeatProbeMs);
  }

  stop(): void {
    this.#next?.timer.cancel();
    this.#next = null;
    this.#limit?.cancel();
    this.#limit = null;
  }

  #askIn(ms: number): void {
    const { clock, ask, dead } = this.#options;
    this.#next?.timer.cancel();
    const timer = clock.after(ms, () => {
      this.#next = null;
      this.#limit = clock.after(TIMES.heartbeatReplyMs, dead);
      ask();
    });
    this.#next = { at: clock.now() + ms, timer };
  }
}
