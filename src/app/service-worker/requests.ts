/** Returns whether a response may be cached: it is complete, from this origin, and not redirected (S40). */
export function isWhole(response: Pick<Response, 'status' | 'type' | 'redirected'>): boolean {
  return response.status === 200 && response.type !== 'opaque' && !response.redirected;
}

/** The paths that are not pages: those that the servers answer on a shared origin, and files. */
const NOT_PAGES = [/^\/(?:auth|v1|ws|media|portraits|push)(?:\/|$)/, /\/[^/]*\.[^/]*$/];

/** Returns whether the app's page answers this path. The page also answers unknown addresses. */
export function isPagePath(path: string): boolean {
  return !NOT_PAGES.some((pattern) => pattern.test(path));
}
