import type { PresenceChanged } from '../../../src/protocol/product/events.ts';
import type { ProductParts } from '../parts.ts';

type Parts = Pick<ProductParts, 'presence' | 'events' | 'blocks' | 'log'>;

/**
 * Tells who came, went, began or ended a call: those whom the product has shown this somebody, in a list, a profile or a
 * chat, and nobody across a block. Everybody would be too many, and most of them look at somebody else.
 */
export class PresenceNews {
  readonly #parts: Parts;
  readonly #stop: () => void;
  /** Resolves when all that has changed is told: in the order in which it did. */
  #told = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stop = parts.presence.onChange((change) => {
      this.#told = this.#told
        .then(() => this.#tell(change))
        .catch((error: unknown) => parts.log.error('a change of presence was not told', { error }));
    });
  }

  /** Resolves when whoever is to be told is told. */
  settled(): Promise<void> {
    return this.#told;
  }

  dispose(): void {
    this.#stop();
  }

  async #tell(change: PresenceChanged): Promise<void> {
    const { events, blocks } = this.#parts;
    const followers = events.followersOf(change.u_id);
    if (followers.length === 0) return;
    const apart = await blocks.apartFrom(change.u_id);
    events.tell(
      followers.filter((uId) => !apart.has(uId)),
      change,
    );
  }
}
