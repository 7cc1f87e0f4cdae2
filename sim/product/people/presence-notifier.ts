import type { PresenceChanged } from '../../../src/protocol/product/events.ts';
import type { Timer } from '../../../src/common/clock.ts';
import type { ProductParts } from '../parts.ts';

type Parts = Pick<ProductParts, 'presence' | 'events' | 'blocks' | 'clock' | 'log'>;

/** The least time between two batches. Milliseconds. */
const BATCH_MS = 500;

/** The most changes in one batch. One query reads the blocks of a batch. */
const BATCH = 200;

/**
 * Sends changes of presence to users. The receivers have been shown the changed user in a list, a profile or a chat,
 * and are not separated from that user by a block. A single change is sent at once. Many changes, as after a restart,
 * are sent in batches: one query and at most one message to a user for each batch.
 */
export class PresenceNotifier {
  readonly #parts: Parts;
  readonly #stop: () => void;
  /** The changes in the order in which they happened. */
  #waiting: PresenceChanged[] = [];
  #timer: Timer | null = null;
  /** Resolves when every batch that began is sent. */
  #sent = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stop = parts.presence.onChange((change) => {
      this.#waiting.push(change);
      if (this.#timer === null) this.#flush();
    });
  }

  /** Sends the waiting changes. Resolves when they are sent. */
  settled(): Promise<void> {
    this.#begin();
    return this.#sent;
  }

  dispose(): void {
    this.#stop();
    this.#timer?.cancel();
    this.#timer = null;
    this.#waiting = [];
  }

  /** Sends the waiting changes, and collects further ones until the next batch is due. */
  #flush(): void {
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    this.#begin();
    this.#timer = this.#parts.clock.after(BATCH_MS, () => this.#flush());
  }

  #begin(): void {
    const changes = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < changes.length; from += BATCH) {
      const batch = changes.slice(from, from + BATCH);
      this.#sent = this.#sent
        .then(() => this.#send(batch))
        .catch((error: unknown) => this.#parts.log.error('changes of presence were not sent', { error }));
    }
  }

  async #send(batch: readonly PresenceChanged[]): Promise<void> {
    const { events, blocks } = this.#parts;
    const followed = batch.filter(({ u_id }) => events.followersOf(u_id).length > 0);
    if (followed.length === 0) return;
    const apart = await blocks.apartFromEach([...new Set(followed.map(({ u_id }) => u_id))]);
    events.publishAll(
      followed.map((event) => ({
        uIds: events.followersOf(event.u_id).filter((uId) => !apart.get(event.u_id)?.has(uId)),
        event,
      })),
    );
  }
}
