/** The cache names of this version and deployment. Every other cache of this origin is an old one. */
export interface CacheNames {
  /** The cache of the app's files, as they were built. */
  readonly app: string;
  /** The cache of the deployment's settings, as they were last received. */
  readonly settings: string;
}

/** The version of the cache format. Increase it when the meaning of the cached data changes. */
const VERSION = 1;

/**
 * Returns the cache names of a deployment. A page is cached with its headers, which differ between deployments of one
 * build.
 */
export function cacheNames(deployment = ''): CacheNames {
  const suffix = ['', `v${VERSION}`, ...(deployment === '' ? [] : [deployment])].join('-');
  return { app: `ringback-app${suffix}`, settings: `ringback-settings${suffix}` };
}

/** Deletes the caches of older versions. */
export async function deleteOldCaches(caches: Pick<CacheStorage, 'keys' | 'delete'>, names: CacheNames): Promise<void> {
  const kept: readonly string[] = Object.values(names);
  const old = (await caches.keys()).filter((name) => !kept.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

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
