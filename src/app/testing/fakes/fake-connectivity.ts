import type { Connectivity } from '../../core/ports/connectivity.ts';

/** A network cable to pull and to plug in. */
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

  /** The page is shown again. */
  comeBack(): void {
    for (const listener of Array.from(this.#returnListeners)) listener();
  }
}
