import { isLoopback } from './allowed-hosts.ts';

/** Counts what each address has open. A lab has all of its test users behind loopback, which is not bounded here. */
export class OpenConnections {
  readonly #most: number;
  readonly #byAddress = new Map<string, number>();

  /** @param most - connections of one address. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one. Returns what to call when it has closed; null: the address has as many as it may. */
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
