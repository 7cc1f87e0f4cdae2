import type { PagePort, PageState } from '../../src/calls/platform/page.ts';

/** A page whose life a test leads. */
export class VirtualPage implements PagePort {
  state: PageState = 'active';
  readonly #changed = new Set<(state: PageState) => void>();
  readonly #online = new Set<() => void>();

  /** Listeners that nobody took back. */
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

  /** The page goes to another state, and says so; staying in one is silent. */
  go(state: PageState): void {
    if (state === this.state) return;
    this.state = state;
    for (const changed of this.#changed) changed(state);
  }

  /** The network is back. */
  goOnline(): void {
    for (const online of this.#online) online();
  }
}
