import { TIMES } from '../../protocol/limits.ts';
import type { Clock, Timer } from '../platform/clock.ts';

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Asks the exchange for a sign of life. */
  readonly ask: () => void;
  /** Nothing came after the question: the other end of the socket is gone. */
  readonly dead: () => void;
}

/**
 * The heartbeat of one open socket (ADR 0024). A page is not shown the pings of a websocket, so the library asks itself:
 * after a silence of 10 s, or 3 s after a command that nothing followed. Whatever the exchange sends is a sign of life.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #next: { readonly at: number; readonly timer: Timer } | null = null;
  #limit: Timer | null = null;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Takes note that the exchange sent something, or that the socket has just opened. */
  heard(): void {
    this.stop();
    this.#askIn(TIMES.heartbeatMs);
  }

  /** Takes note that the client sent a command. */
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
