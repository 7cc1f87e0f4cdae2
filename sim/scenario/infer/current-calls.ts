/**
 * The current call of each device. An actor acts on the last call that it dialed or that rang; `former` selects the
 * one before.
 */
export class CurrentCalls {
  readonly #calls = new Map<string, string[]>();

  /** Records a call that was dialed or rings. */
  take(device: string, callId: string): void {
    this.#calls.set(device, [...(this.#calls.get(device) ?? []), callId]);
  }

  of(device: string): string | undefined {
    return this.#calls.get(device)?.at(-1);
  }

  /**
   * Makes a call the current one. Returns how many `former` actions it takes. Undefined if the device never had it.
   */
  turnsTo(device: string, callId: string): number | undefined {
    let calls = this.#calls.get(device) ?? [];
    if (!calls.includes(callId)) return undefined;
    let turns = 0;
    for (; calls.at(-1) !== callId; turns += 1) calls = [calls.at(-1) as string, ...calls.slice(0, -1)];
    this.#calls.set(device, calls);
    return turns;
  }
}
