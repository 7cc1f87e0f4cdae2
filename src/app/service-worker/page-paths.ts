/** What the servers answer themselves, should they share an origin with the app; and whatever is a file. */
const NOT_PAGES = [/^\/(?:auth|v1|ws|media|portraits|push)(?:\/|$)/, /\/[^/]*\.[^/]*$/];

/** Whether the app's page answers this path: each of its routes, and what it says of an address that is none. */
export function isPagePath(path: string): boolean {
  return !NOT_PAGES.some((pattern) => pattern.test(path));
}
