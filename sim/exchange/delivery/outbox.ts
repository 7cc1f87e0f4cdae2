import type { WriteQueue } from './write-queue.ts';
import type { Clock, TimerHandle } from '../ports.ts';

/** The longest that a message waits for the store, milliseconds: a store that is slower holds up no call. */
const HOLD_MS = 1_000;

/**
 * What leaves the exchange, in order. Nothing leaves before the state it tells of is in the store, so that an exchange that
 * crashes has promised nothing that it does not know afterwards. Where the store fails, or is too slow, messages leave
 * without it: a call survives a failing database, and is then lost with the exchange.
 */
export class Outbox {
  readonly #writeQueue: WriteQueue;
  readonly #clock: Clock;
  /** Whether what leaves waits for the store at all. */
  readonly #waits: boolean;
  readonly #held: { readonly send: () => void; readonly after: number; readonly since: number }[] = [];
  #limit: TimerHandle | null = null;

  /** @param waits - false where the state of calls is not kept: then everything leaves at once. */
  constructor(writeQueue: WriteQueue, clock: Clock, waits: boolean) {
    this.#writeQueue = writeQueue;
    this.#clock = clock;
    this.#waits = waits;
    if (waits) writeQueue.onProgress(() => this.#release());
  }

  /** Sends at once, or after what is to be written first; never before what was sent earlier. */
  send(send: () => void): void {
    if (!this.#waits || (this.#held.length === 0 && this.#writeQueue.isSettled)) return send();
    this.#held.push({ send, after: this.#writeQueue.asked, since: this.#clock.monotonic() });
    this.#limitOldest();
  }

  /** Resolves when everything so far has left; null where nothing waits. */
  passed(): Promise<void> | null {
    if (!this.#waits || (this.#held.length === 0 && this.#writeQueue.isSettled)) return null;
    return new Promise((resolve) => this.send(resolve));
  }

  #release(): void {
    const { done, isFailing } = this.#writeQueue;
    const before = this.#clock.monotonic() - HOLD_MS;
    while (this.#held[0] && (isFailing || this.#held[0].after <= done || this.#held[0].since <= before)) {
      this.#held.shift()?.send();
    }
    if (this.#held.length > 0) return;
    if (this.#limit) this.#clock.clearTimeout(this.#limit);
    this.#limit = null;
  }

  /** Each message has its own limit: under load there is always one that waits. */
  #limitOldest(): void {
    const oldest = this.#held[0];
    if (!oldest) return;
    this.#limit ??= this.#clock.setTimeout(
      () => {
        this.#limit = null;
        this.#release();
        this.#limitOldest();
      },
      oldest.since + HOLD_MS - this.#clock.monotonic(),
    );
  }
}
