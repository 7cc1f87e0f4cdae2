/** An item of a {@link UseOrder}, with its neighbours. */
export interface InUseOrder<Item> {
  older: Item | undefined;
  newer: Item | undefined;
}

/**
 * Items in the order of their last use. A list, since a map that loses and gains an entry at each use makes its table
 * again and again. Each former table keeps the next one alive until V8 collects the old generation.
 */
export class UseOrder<Item extends InUseOrder<Item>> {
  #oldest: Item | undefined;
  #newest: Item | undefined;

  /** The item that was not used for the longest time. */
  get oldest(): Item | undefined {
    return this.#oldest;
  }

  /** Adds an item. */
  add(item: Item): void {
    item.older = this.#newest;
    if (this.#newest) this.#newest.newer = item;
    else this.#oldest = item;
    this.#newest = item;
  }

  /** Makes an item the most recently used. */
  use(item: Item): void {
    if (item === this.#newest) return;
    this.remove(item);
    this.add(item);
  }

  /** Removes an item. */
  remove(item: Item): void {
    const { older, newer } = item;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    item.older = undefined;
    item.newer = undefined;
  }
}
