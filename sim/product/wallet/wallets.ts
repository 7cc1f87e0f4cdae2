import type { EventHub } from '../event-hub.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Balance events for users, and credit events for the platform. */
export class Wallets {
  readonly #ledger: Ledger;
  readonly #events: EventHub;
  readonly #listeners = new Set<(man: string) => void>();

  constructor(ledger: Ledger, events: EventHub) {
    this.#ledger = ledger;
    this.#events = events;
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
    await this.publish(man, null);
  }

  /** Calls the listener when a man has got coins. Returns the function that removes it. */
  onCredit(listener: (man: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
