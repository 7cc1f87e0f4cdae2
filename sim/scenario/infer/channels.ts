import type { ChannelChange, Fact } from './facts.ts';

/** The times at which the channel of each device was open. */
export class Channels {
  readonly #changes = new Map<string, ChannelChange[]>();

  constructor(facts: readonly Fact[]) {
    for (const fact of facts) {
      if (fact.kind !== 'channel') continue;
      const changes = this.#changes.get(fact.device);
      if (changes) changes.push(fact);
      else this.#changes.set(fact.device, [fact]);
    }
  }

  isOpen(device: string, from: number, until: number): boolean {
    const changes = this.#changes.get(device) ?? [];
    // Before the first change the state was the opposite. Without a change the channel was open before the recording
    // began.
    const before = changes.findLast(({ at }) => at <= from)?.what ?? (changes[0]?.what === 'open' ? 'close' : 'open');
    return before === 'open' && !changes.some(({ at, what }) => what === 'close' && at > from && at <= until);
  }
}
