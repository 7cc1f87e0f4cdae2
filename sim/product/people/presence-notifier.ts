import type { PresenceChanged } from '../../../src/protocol/product/events.ts';
import type { Timer } from '../../../src/common/clock.ts';
import { KEPT_MS } from '../event-hub.ts';
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
 *
 * Each node of a cluster sends them to the pages at this node. A page that resumes at a node receives the latest
 * changes, since the node does not know which of them it has missed.
 */
export class PresenceNotifier {
  readonly #parts: Parts;
  readonly #stops: (() => void)[] = [];
  /** The last change of each user within {@link KEPT_MS}, the oldest first, with its time by the monotonic clock. */
  readonly #latest = new Map<string, { readonly change: PresenceChanged; readonly at: number }>();
  /** The changes in the order in which they happened. */
  #waiting: PresenceChanged[] = [];
  #timer: Timer | null = null;
  /** Resolves when every batch that began is sent. */
  #sent = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stops.push(
      parts.presence.onChange((change) => {
        this.#remember(change);
        this.#waiting.push(change);
        if (this.#timer === null) this.#flush();
      }),
      parts.events.onResumed((uId, followed) => this.#repeat(uId, followed)),
    );
  }

  /** Sends the waiting changes. Resolves when they are sent. */
  settled(): Promise<void> {
    this.#begin();
    return this.#sent;
  }

  dispose(): void {
    for (const stop of this.#stops.splice(0)) stop();
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
    this.#sendLater(changes, (uId) => this.#parts.events.followersOf(uId));
  }

  #remember(change: PresenceChanged): void {
    const now = this.#parts.clock.now();
    for (const [uId, { at }] of this.#latest) {
      if (now - at <= KEPT_MS) break;
      this.#latest.delete(uId);
    }
    this.#latest.delete(change.u_id);
    this.#latest.set(change.u_id, { change, at: now });
  }

  /** Sends the latest changes of followed users to a user whose page has resumed. */
  #repeat(uId: string, followed: readonly string[]): void {
    const now = this.#parts.clock.now();
    const changes = followed.flatMap((other) => {
      const latest = this.#latest.get(other);
      return latest && now - latest.at <= KEPT_MS ? [latest.change] : [];
    });
    this.#sendLater(changes, () => [uId]);
  }

  #sendLater(changes: readonly PresenceChanged[], receiversOf: (uId: string) => readonly string[]): void {
    for (let from = 0; from < changes.length; from += BATCH) {
      const batch = changes.slice(from, from + BATCH);
      this.#sent = this.#sent
        .then(() => this.#send(batch, receiversOf))
        .catch((error: unknown) => this.#parts.log.error('changes of presence were not sent', { error }));
    }
  }

  async #send(batch: readonly PresenceChanged[], receiversOf: (uId: string) => readonly string[]): Promise<void> {
    const { events, blocks } = this.#parts;
    const followed = batch.filter(({ u_id }) => receiversOf(u_id).length > 0);
    if (followed.length === 0) return;
    const apart = await blocks.apartFromEach([...new Set(followed.map(({ u_id }) => u_id))]);
    events.publishHere(
      followed.map((event) => ({
        uIds: receiversOf(event.u_id).filter((uId) => !apart.get(event.u_id)?.has(uId)),
        event,
      })),
    );
  }
}
