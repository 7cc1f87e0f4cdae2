import type { PagePort, PageState } from '../../src/calls/platform/page.ts';

/** A page whose state a test controls. */
export class VirtualPage implements PagePort {
  state: PageState = 'active';
  readonly #changed = new Set<(state: PageState) => void>();
  readonly #online = new Set<() => void>();

  /** The number of listeners that were not removed. */
  get listeners(): number {
    return this.#changed.size + this.#online.size;
  }

  onChange(changed: (state: PageState) => void): () => void {
    this.#changed.add(changed);
    return () => this.#changed.delete(changed);
  }

  onOnline(online: () => void): () => void {
    this.#online.add(online);
    return () => this.#online.delete(online);
  }

  /** Moves the page to another state and notifies listeners. The same state again has no effect. */
  go(state: PageState): void {
    if (state === this.state) return;
    this.state = state;
    for (const changed of this.#changed) changed(state);
  }

  /** Notifies listeners that the network is back. */
  goOnline(): void {
    for (const online of this.#online) online();
  }
}
