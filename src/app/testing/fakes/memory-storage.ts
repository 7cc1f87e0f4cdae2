import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';

/** A storage in memory. */
export class MemoryStorage implements KeyValueStore {
  readonly #values: Map<string, string>;

  constructor(values: Record<string, string> = {}) {
    this.#values = new Map(Object.entries(values));
  }

  get size(): number {
    return this.#values.size;
  }

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#values.set(key, value);
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}

/** Returns cookies in memory. */
export function memoryCookieJar(values: Record<string, string> = {}): CookieJar {
  const cookies = new Map(Object.entries(values));
  return {
    read: (name) => cookies.get(name) ?? null,
    write: (name, value) => void cookies.set(name, value),
    remove: (name) => void cookies.delete(name),
  };
}
