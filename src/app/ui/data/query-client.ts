import { QueryClient, onlineManager } from '@tanstack/react-query';
import type { Connectivity } from '../../core/ports/connectivity.ts';
import { ProductError } from '../../core/product/product-error.ts';

const FRESH_MS = 30_000;
const KEPT_MS = 30 * 60_000;
const MOST_RETRIES = 2;
/** The span of the first retry; the next one is twice as long. A user looks at a skeleton meanwhile. */
const RETRY_SPAN_MS = 2_000;

/**
 * How screens read from the server. A refusal is not asked for again; without a network what was read before is shown, and
 * a first request fails at once rather than waiting; nothing that changes something is ever sent twice by itself.
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

/** Only what may be otherwise a moment later: no answer at all, or a server that is being started anew. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= MOST_RETRIES || !(error instanceof ProductError)) return false;
  return error.kind === 'unreachable' || (error.status ?? 0) > 500;
}

/** Returns the wait before a retry, milliseconds: random, so that the pages of a restarted server do not ask all at once. */
export function retryDelayMs(failures: number, random: () => number): number {
  return random() * RETRY_SPAN_MS * 2 ** failures;
}
