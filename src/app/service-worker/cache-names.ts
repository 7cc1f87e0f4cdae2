/** The caches of this version and deployment; every other one of this origin is an old one. */
export interface CacheNames {
  /** The files of the app, each as it was built. */
  readonly app: string;
  /** The settings of the deployment, as they last came. */
  readonly settings: string;
}

/** Goes up when what is in the caches is to be understood otherwise. */
const VERSION = 1;

/** A page is kept with its headers: another deployment of the same build has other ones, and so other caches. */
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
