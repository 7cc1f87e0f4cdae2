import type { CookieJar } from '../../core/preferences/cookie-jar.ts';

/** Returns cookies in memory. */
export function memoryCookieJar(values: Record<string, string> = {}): CookieJar {
  const cookies = new Map(Object.entries(values));
  return {
    read: (name) => cookies.get(name) ?? null,
    write: (name, value) => void cookies.set(name, value),
    remove: (name) => void cookies.delete(name),
  };
}
