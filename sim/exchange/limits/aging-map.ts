/**
 * A map whose entries leave in the order in which they came. It keeps its search for the oldest entry. A new search would
 * begin at the front, and pass the places of all entries that were deleted since V8 made its table.
 *
 * The search keeps former tables of the map in memory until the oldest entry leaves. Do not use it for a map that often
 * loses other entries than its oldest.
 */
export class AgingMap<Key extends string, Value extends object | number | string> extends Map<Key, Value> {
  /** The entries that it has passed are deleted. Null before the first search, and in an empty map. */
  #search: Iterator<Key> | null = null;
  /** The key that the search found last, while it is in the map. */
  #found: Key | null = null;

  /** Returns the key of the oldest entry. Undefined for an empty map. */
  oldest(): Key | undefined {
    if (this.size === 0) {
      this.#search = null;
      return undefined;
    }
    if (this.#found === null) {
      this.#search ??= this.keys();
      const next = this.#search.next();
      if (next.done !== true) this.#found = next.value;
    }
    return this.#found ?? undefined;
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
    if (this.#found === key) this.#found = null;
    return super.delete(key);
  }

  override clear(): void {
    this.#found = null;
    this.#search = null;
    super.clear();
  }
}
