/** A search through the entries of a map that may change: a step at a time, and again from the start. */
export class InTurn<Key, Value> {
  readonly #map: ReadonlyMap<Key, Value>;
  #entries: Iterator<[Key, Value]>;

  constructor(map: ReadonlyMap<Key, Value>) {
    this.#map = map;
    this.#entries = map.entries();
  }

  /** Returns the next entry. Undefined at the end, after which the search begins again. */
  next(): [Key, Value] | undefined {
    const { done, value } = this.#entries.next();
    if (done !== true) return value;
    this.#entries = this.#map.entries();
    return undefined;
  }
}
