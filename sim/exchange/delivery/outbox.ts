import type { WriteQueue } from './write-queue.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';

/** The longest that a message waits for the store, milliseconds. A slower store does not delay calls further. */
const HOLD_MS = 1_000;

/**
 * The ordered queue of outgoing messages. A message waits until the state behind it is in the store. So a crashed
 * exchange has promised nothing that it does not know after the restart. When the store fails or is too slow, messages
 * leave without it. A call survives a failing database, and is then lost with the exchange.
 */
export class Outbox {
  readonly #writeQueue: WriteQueue;
  readonly #clock: Clock;
  /** True when messages wait for the store. */
  readonly #waits: boolean;
  readonly #held: { readonly send: () => void; readonly after: number; readonly since: number }[] = [];
  #limit: Timer | null = null;

  /** @param waits - false when calls are not stored: then every message leaves at once. */
  constructor(writeQueue: WriteQueue, clock: Clock, waits: boolean) {
    this.#writeQueue = writeQueue;
    this.#clock = clock;
    this.#waits = waits;
    if (waits) writeQueue.onProgress(() => this.#release());
  }

  /** Sends at once, or after the queued writes. Keeps the order of messages. */
  send(send: () => void): void {
    if (!this.#waits || (this.#held.length === 0 && this.#writeQueue.isSettled)) return send();
    this.#held.push({ send, after: this.#writeQueue.asked, since: this.#clock.now() });
    this.#limitOldest();
  }

  /** Resolves when all messages so far have left. Null when none waits. */
  passed(): Promise<void> | null {
    if (!this.#waits || (this.#held.length === 0 && this.#writeQueue.isSettled)) return null;
    return new Promise((resolve) => this.send(resolve));
  }

  #release(): void {
    const { done, isFailing } = this.#writeQueue;
    const before = this.#clock.now() - HOLD_MS;
    while (this.#held[0] && (isFailing || this.#held[0].after <= done || this.#held[0].since <= before)) {
      this.#held.shift()?.send();
    }
    if (this.#held.length > 0) return;
    this.#limit?.cancel();
    this.#limit = null;
  }

  /**
   * Starts the timer of the oldest message. Each message has its own limit: under load there is always one that waits.
   */
  #limitOldest(): void {
    const oldest = this.#held[0];
    if (!oldest) return;
    this.#limit ??= this.#clock.after(oldest.since + HOLD_MS - this.#clock.now(), () => {
      this.#limit = null;
      this.#release();
      this.#limitOldest();
    });
  }
}
