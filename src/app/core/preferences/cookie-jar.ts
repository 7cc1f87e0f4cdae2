/**
 * A store of choices that belong to the device and not to the user. They outlive a session, whose end clears all local
 * storage (app-shell §8). So they are cookies.
 */
export interface CookieJar {
  read(name: string): string | null;
  write(name: string, value: string): void;
  remove(name: string): void;
}

const A_YEAR_S = 365 * 24 * 60 * 60;

/** Returns the cookies of a page. A written cookie lasts a year. */
export function browserCookieJar(page: Pick<Document, 'cookie'>): CookieJar {
  return {
    read(name) {
      const found = page.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
      return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1));
    },
    write(name, value) {
      page.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${A_YEAR_S}; samesite=lax`;
    },
    remove(name) {
      page.cookie = `${name}=; path=/; max-age=0; samesite=lax`;
    },
  };
}
