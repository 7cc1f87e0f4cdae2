import type { Clock, Timer } from '../../src/common/clock.ts';
import { HEARTBEAT, HEARTBEAT_MS } from '../../src/protocol/product/heartbeat.ts';
import type { Link } from '../exchange/ports.ts';

/** Heartbeats on the product's open sockets, by which a page notices that its socket is dead. */
export class Heartbeats {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #timers = new Map<Pick<Link, 'send'>, Timer>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Starts sending heartbeats on a socket. Returns the function that stops them. */
  start(link: Pick<Link, 'send'>): () => void {
    this.#wait(link);
    return () => {
      this.#timers.get(link)?.cancel();
      this.#timers.delete(link);
    };
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #wait(link: Pick<Link, 'send'>): void {
    const timer = this.#clock.after(HEARTBEAT_MS, () => {
      link.send(HEARTBEAT);
      this.#wait(link);
    });
    this.#timers.set(link, timer);
  }
}
