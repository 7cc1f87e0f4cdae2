import type { WriteQueue } from './write-queue.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** The longest that a message waits for the store, milliseconds. A slower store does not delay calls further. */
export const HOLD_MS = 1_000;

interface Held {
  readonly send: () => void;
  /** True for a message that leaves after all before it. */
  readonly isLast: boolean;
  /** The number of writes that the message waits for, of each queue. */
  readonly after: readonly number[];
  readonly since: number;
}

/**
 * The ordered queue of outgoing messages. A message waits until the state behind it is in the store. So a crashed
 * exchange has promised nothing that it does not know after the restart. The messages of one device stay in order, and
 * wait for no write about another device. When the store fails or is too slow, messages leave without it. A call
 * survives a failing database, and is then lost with the exchange.
 */
export class Outbox {
  readonly #queues: readonly WriteQueue[];
  readonly #clock: Clock;
  /** True when messages wait for the store. */
  readonly #waits: boolean;
  #held: Held[] = [];
  #isReleasing = false;
  #limit: Timer | null = null;

  /**
   * @param queues - the queues of writes.
   * @param waits - false when calls are not stored: then every message leaves at once.
   */
  constructor(queues: readonly WriteQueue[], clock: Clock, waits: boolean) {
    this.#queues = queues;
    this.#clock = clock;
    this.#waits = waits;
    if (waits) for (const queue of queues) queue.onProgress(() => this.#release());
  }

  /**
   * Sends at once, or after the queued writes that the message waits for. Keeps the order of the messages of a device.
   *
   * @param device - the device that the message is for. Default: the message waits for all writes, and for all messages
   *   before it.
   */
  send(send: () => void, device?: DeviceId): void {
    if (!this.#waits) return send();
    const one = {
      send,
      isLast: device === undefined,
      after: this.#queues.map((queue) => queue.neededBy(device)),
      since: this.#clock.now(),
    };
    // A later message of a device waits for all that an earlier one waits for, so the two stay in order.
    if (!this.#isReleasing && this.#mayLeave(one) && !(one.isLast && this.#held.length > 0)) return send();
    this.#held.push(one);
    this.#limitOldest();
  }

  /** Resolves when all messages so far have left. Null when none waits. */
  passed(): Promise<void> | null {
    if (!this.#waits || (this.#held.length === 0 && this.#queues.every((queue) => queue.has(queue.asked)))) return null;
    return new Promise((resolve) => this.send(resolve));
  }

  #mayLeave({ after }: Held): boolean {
    return this.#queues.every((queue, at) => queue.has(after[at] ?? 0));
  }

  #release(): void {
    // A message may cause others, which are then the last, and a write.
    if (this.#isReleasing) return;
    this.#isReleasing = true;
    const before = this.#clock.now() - HOLD_MS;
    const left: Held[] = [];
    let seen = 0;
    try {
      for (const one of this.#held) {
        seen += 1;
        const mayLeave = one.since <= before || (this.#mayLeave(one) && !(one.isLast && left.length > 0));
        if (mayLeave) one.send();
        else left.push(one);
      }
    } finally {
      this.#held = [...left, ...this.#held.slice(seen)];
      this.#isReleasing = false;
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
