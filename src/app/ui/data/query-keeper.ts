import type { QueryClient } from '@tanstack/react-query';

/** Keeps what a user has read from the server, for as long as that user is signed in. */
export interface QueryKeeper {
  /** The cache of whoever is signed in; `create` makes it when there is none yet. */
  open(create: () => QueryClient): QueryClient;
  /** What is on a screen is asked for again at once, the rest when it is next shown. */
  askAgain(): void;
  /** Forgets everything: the next user starts with nothing. */
  forget(): void;
}

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
