import { isLoopback } from './allowed-hosts.ts';

/** A counter of the open connections of each address. Loopback is not limited: all test users of a lab share it. */
export class OpenConnections {
  readonly #most: number;
  readonly #byAddress = new Map<string, number>();

  /** @param most - the most connections of one address. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts a new connection. Returns the function to call when it has closed, or null when the address has reached
   * the limit.
   */
  open(address: string): (() => void) | null {
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= this.#most && !isLoopback(address)) return null;
    this.#byAddress.set(address, count + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    };
  }
}
