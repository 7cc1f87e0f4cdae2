import type { DirectCall } from './direct-call.ts';

/** The live calls of this user, including those that dial or ring. */
export class CallRegistry {
  readonly #calls = new Set<DirectCall>();
  /** The ids of the calls that this client has had. An incoming dial for one of them is a duplicate. */
  readonly #known = new Set<string>();

  add(call: DirectCall): void {
    this.#calls.add(call);
    this.learn(call);
  }

  /** Registers a call that now has its id. */
  learn(call: DirectCall): void {
    if (call.callId) this.#known.add(call.callId);
  }

  remove(call: DirectCall): void {
    this.#calls.delete(call);
  }

  get(callId: string): DirectCall | undefined {
    return [...this.#calls].find((call) => call.callId === callId);
  }

  /** Returns whether this client has or had a call with this id. */
  knows(callId: string): boolean {
    return this.#known.has(callId);
  }

  all(): DirectCall[] {
    return [...this.#calls];
  }

  clear(): void {
    this.#calls.clear();
    this.#known.clear();
  }
}
