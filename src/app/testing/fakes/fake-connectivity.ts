import type { Connectivity } from '../../../common/connectivity.ts';

/** A network that the test connects and disconnects. */
export class FakeConnectivity implements Connectivity {
  #online: boolean;
  readonly #listeners = new Set<() => void>();
  readonly #returnListeners = new Set<() => void>();

  constructor(online = true) {
    this.#online = online;
  }

  get listenerCount(): number {
    return this.#listeners.size + this.#returnListeners.size;
  }

  isOnline = (): boolean => this.#online;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(online: boolean): void {
    this.#online = online;
    for (const listener of Array.from(this.#listeners)) listener();
  }

  onReturn = (listener: () => void): (() => void) => {
    this.#returnListeners.add(listener);
    return () => this.#returnListeners.delete(listener);
  };

  /** Shows the page again. */
  comeBack(): void {
    for (const listener of Array.from(this.#returnListeners)) listener();
  }
}
