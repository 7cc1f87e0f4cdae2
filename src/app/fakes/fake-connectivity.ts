import type { Connectivity } from '../ports/connectivity.ts';

/** A network cable to pull and to plug in. */
export class FakeConnectivity implements Connectivity {
  #online: boolean;
  /** Set by a test whose page goes away. */
  leaving = false;
  readonly #listeners = new Set<() => void>();

  constructor(online = true) {
    this.#online = online;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  isOnline = (): boolean => this.#online;
  isLeaving = (): boolean => this.leaving;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(online: boolean): void {
    this.#online = online;
    for (const listener of Array.from(this.#listeners)) listener();
  }
}
