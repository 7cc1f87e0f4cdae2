import type { KeyValueStore } from './key-value-store.ts';

/**
 * The browser's storage, or memory where it may not be used or is full: a visitor who blocks it is signed out at the next load,
 * and sees the app all the same.
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
        // There is nothing to remove.
      }
    },
    clear() {
      memory.clear();
      try {
        find().clear();
      } catch {
        // There is nothing to clear.
      }
    },
  };
}
