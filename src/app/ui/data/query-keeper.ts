import type { QueryClient } from '@tanstack/react-query';

/** The cache of server answers of the user that is signed in. */
export interface QueryKeeper {
  /** Returns the cache of the present user. `create` creates it when there is none. */
  open(create: () => QueryClient): QueryClient;
  /** Marks every answer as stale. Answers on the screen are requested again at once, others when they are shown. */
  askAgain(): void;
  /** Drops the cache, so that the next user starts with an empty one. */
  forget(): void;
}

/** Creates a keeper without a cache. */
export function createQueryKeeper(): QueryKeeper {
  let client: QueryClient | null = null;
  return {
    open: (create) => (client ??= create()),
    askAgain: () => void client?.invalidateQueries(),
    forget() {
      client?.clear();
      client = null;
    },
  };
}
