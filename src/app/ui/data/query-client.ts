import { QueryClient, onlineManager } from '@tanstack/react-query';
import type { Connectivity } from '../../../common/connectivity.ts';
import { ProductError } from '../../core/product/product-error.ts';

const FRESH_MS = 30_000;
const KEPT_MS = 30 * 60_000;
const MOST_RETRIES = 2;
/**
 * The span of the first retry delay in milliseconds. It doubles with each failure. The user sees a skeleton meanwhile.
 */
const RETRY_SPAN_MS = 2_000;

/**
 * Creates the query cache of screens. A refused request is not retried. Without a network, cached answers are shown and
 * a first request fails at once. A request that changes something is never retried automatically.
 */
export function createQueryClient(connectivity: Connectivity, random: () => number): QueryClient {
  onlineManager.setEventListener((tell) => {
    tell(connectivity.isOnline());
    return connectivity.subscribe(() => tell(connectivity.isOnline()));
  });
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        networkMode: 'offlineFirst',
        retry: isWorthRetrying,
        retryDelay: (failures) => retryDelayMs(failures, random),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Returns whether a retry may succeed: the server did not answer, or is restarting. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= MOST_RETRIES || !(error instanceof ProductError)) return false;
  return error.kind === 'unreachable' || (error.status ?? 0) > 500;
}

/**
 * Returns the wait before a retry, in milliseconds. It is random, so that the pages of a restarted server do not send
 * their requests at once.
 */
export function retryDelayMs(failures: number, random: () => number): number {
  return random() * RETRY_SPAN_MS * 2 ** failures;
}
