import type { DirectCall } from './direct-call.ts';

/** The calls of this user that are not over, and those on their way in or out. */
export class CallRegistry {
  readonly #calls = new Set<DirectCall>();
  /** Ids of calls this client has had; an incoming dial for one of them is a duplicate. */
  readonly #known = new Set<string>();

  add(call: DirectCall): void {
    this.#calls.add(call);
    this.learn(call);
  }

  /** The call has its id now. */
  learn(call: DirectCall): void {
    if (call.callId) this.#known.add(call.callId);
  }

  remove(call: DirectCall): void {
    this.#calls.delete(call);
  }

  get(callId: string): DirectCall | undefined {
    return [...this.#calls].find((call) => call.callId === callId);
  }

  /** Was a call with this id here before, or is it now? */
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
