import * as v from 'valibot';
import type { NodeLink } from '../../cluster/node-link.ts';
import type { EventHub } from '../event-hub.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** A man has got coins at another node. */
const creditedElsewhere = v.object({ uId: v.string() });

/** Balance events for users, and credit events for the platform. */
export class Wallets {
  readonly #ledger: Ledger;
  readonly #events: EventHub;
  readonly #listeners = new Set<(man: string) => void>();
  readonly #link: Pick<NodeLink, 'broadcast' | 'receive'> | null;

  /** @param link - the other nodes. Their listeners hear of a credit too. Null without a cluster. */
  constructor(ledger: Ledger, events: EventHub, link: Pick<NodeLink, 'broadcast' | 'receive'> | null = null) {
    this.#ledger = ledger;
    this.#events = events;
    this.#link = link;
  }

  /**
   * Sends their current balance to these two users, if they are connected.
   *
   * @param known - the man's coins, where the caller has just read them.
   */
  async publish(man: string | null, woman: string | null, known?: number): Promise<void> {
    if (man !== null && this.#events.isConnected(man)) {
      const coins = known ?? (await this.#ledger.balance(`coins:${man}`));
      this.#events.publish([man], { type: 'wallet_changed', coins, points: null });
    }
    if (woman !== null && this.#events.isConnected(woman)) {
      const parts = await Promise.all([
        this.#ledger.balance(`points:${woman}`),
        this.#ledger.balance(`settling:${woman}`),
      ]);
      this.#events.publish([woman], { type: 'wallet_changed', coins: null, points: parts[0] + parts[1] });
    }
  }

  /** Sends a man his new balance and notifies the listeners of the credit. */
  async credited(man: string): Promise<void> {
    for (const listener of [...this.#listeners]) listener(man);
    this.#link?.broadcast('product credited', { uId: man });
    await this.publish(man, null);
  }

  /** Calls the listener when a man has got coins. Returns the function that removes it. */
  onCredit(listener: (man: string) => void): () => void {
    this.#listeners.add(listener);
    const stop = this.#link?.receive('product credited', (message) => {
      if (v.is(creditedElsewhere, message)) listener(message.uId);
    });
    return () => {
      this.#listeners.delete(listener);
      stop?.();
    };
  }
}
