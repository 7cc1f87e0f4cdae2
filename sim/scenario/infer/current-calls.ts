/** Which call each device has in hand: an actor acts on the last that it dialled or that rang, and `former` takes the one before. */
export class CurrentCalls {
  readonly #calls = new Map<string, string[]>();

  /** A call was dialled, or rings. */
  take(device: string, callId: string): void {
    this.#calls.set(device, [...(this.#calls.get(device) ?? []), callId]);
  }

  of(device: string): string | undefined {
    return this.#calls.get(device)?.at(-1);
  }

  /** Takes a call in hand. Returns how often `former` it takes; undefined where the device never had it. */
  turnsTo(device: string, callId: string): number | undefined {
    let calls = this.#calls.get(device) ?? [];
    if (!calls.includes(callId)) return undefined;
    let turns = 0;
    for (; calls.at(-1) !== callId; turns += 1) calls = [calls.at(-1) as string, ...calls.slice(0, -1)];
    this.#calls.set(device, calls);
    return turns;
  }
}
