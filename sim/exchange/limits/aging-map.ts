/**
 * A map whose entries leave in the order in which they came. It finds the oldest one in constant time: a new search
 * would begin at the front, and pass the places of all entries that were deleted since V8 made its table.
 *
 * The search keeps the former tables of the map in memory until the oldest entry leaves. So a map of which many other
 * entries are deleted before it has no use for this.
 */
export class AgingMap<Key, Value> extends Map<Key, Value> {
  /** The entries that it has passed are deleted. */
  readonly #search = this.keys();
  /** The key that the search found last, while it is in the map. */
  #found: { readonly key: Key } | null = null;

  /** Returns the key of the oldest entry. Undefined for an empty map. */
  oldest(): Key | undefined {
    if (this.#found === null && this.size > 0) {
      const next = this.#search.next();
      if (next.done !== true) this.#found = { key: next.value };
    }
    return this.#found?.key;
  }

  /** Deletes the oldest entries, up to the first that is not over. */
  dropOldest(isOver: (value: Value, key: Key) => boolean): void {
    for (let key = this.oldest(); key !== undefined; key = this.oldest()) {
      const value = this.get(key);
      if (value === undefined || !isOver(value, key)) return;
      this.delete(key);
    }
  }

  override delete(key: Key): boolean {
    if (this.#found?.key === key) this.#found = null;
    return super.delete(key);
  }

  override clear(): void {
    this.#found = null;
    super.clear();
  }
}
