interface Kept<Answer> {
  /** Null where it is not known any more: then any body is the same. */
  readonly body: string | null;
  readonly answer: Answer;
}

/** Devices whose answers are kept; a client makes itself a new id each time a page loads. */
const DEVICES = 2_000;

/**
 * The answers to requests, kept so that a request sent again (by another way, after a lost reply) has its effect once and
 * gets the same answer (B66, I12).
 */
export class Answers<Answer> {
  readonly #perDevice: number;
  readonly #byDevice = new Map<string, Map<string, Kept<Answer>>>();

  constructor(perDevice: number) {
    this.#perDevice = perDevice;
  }

  /** The answer to this request: the kept one, or a new one; `conflict` when the id stood for another body before. */
  once(device: string, requestId: string, body: string, make: () => Answer): Answer | 'conflict' {
    const kept = this.#byDevice.get(device) ?? new Map<string, Kept<Answer>>();
    // Last used, last in the map.
    this.#byDevice.delete(device);
    this.#byDevice.set(device, kept);
    const known = kept.get(requestId);
    if (known) return known.body === null || known.body === body ? known.answer : 'conflict';
    const answer = make();
    this.#keep(kept, requestId, { body, answer });
    return answer;
  }

  /** Puts back the answer that a request got from the exchange before this one. */
  restore(device: string, requestId: string, answer: Answer): void {
    const kept = this.#byDevice.get(device) ?? new Map<string, Kept<Answer>>();
    this.#byDevice.set(device, kept);
    this.#keep(kept, requestId, { body: null, answer });
  }

  #keep(kept: Map<string, Kept<Answer>>, requestId: string, answer: Kept<Answer>): void {
    kept.set(requestId, answer);
    dropOldest(kept, this.#perDevice);
    dropOldest(this.#byDevice, DEVICES);
  }
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}
