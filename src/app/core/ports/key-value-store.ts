/** The part of the browser's `Storage` that the app uses: `localStorage` and `sessionStorage` fit as they are. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/**
 * Returns a storage that uses the browser's, or memory when the browser's is blocked or full. A visitor who blocks
 * storage can use the app, but is signed out at the next load.
 */
export function safeStorage(find: () => KeyValueStore): KeyValueStore {
  const memory = new Map<string, string>();
  return {
    getItem(key) {
      try {
        return memory.get(key) ?? find().getItem(key);
      } catch {
        return memory.get(key) ?? null;
      }
    },
    setItem(key, value) {
      memory.delete(key);
      try {
        find().setItem(key, value);
      } catch {
        memory.set(key, value);
      }
    },
    removeItem(key) {
      memory.delete(key);
      try {
        find().removeItem(key);
      } catch {
        // Without storage there is nothing to remove.
      }
    },
    clear() {
      memory.clear();
      try {
        find().clear();
      } catch {
        // Without storage there is nothing to clear.
      }
    },
  };
}
