import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../ports/ports.ts';
import type { Connectivity } from '../../../common/connectivity.ts';
import { retryWaitMs } from '../../../common/retry-wait.ts';
import type { ProductClient } from '../product/product-client.ts';
import { ProductError } from '../product/product-error.ts';

interface Dependencies {
  product: Pick<ProductClient, 'refreshToken'>;
  connectivity: Connectivity;
  clock: Clock;
  random(): number;
  logger: Logger;
  /** Returns whether the result still matters. */
  isDoubted(): boolean;
  /** The functions that cancel the waits. The page calls them when it ends; the check then never resolves. */
  waits: Set<() => void>;
}

interface SessionCheckOptions extends Omit<Dependencies, 'isDoubted'> {
  /** Returns the token of the page. Null without one. */
  token(): string | null;
  /** Handles a token that the server refused while it was the token of the page. */
  onRefused(): void;
}

/**
 * Creates the check of the session of the page. Concurrent checks of one token share one answer. The check resolves to
 * whether the page has a token after it.
 */
export function createSessionCheck({ token, onRefused, ...outside }: SessionCheckOptions): () => Promise<boolean> {
  let checking: { readonly token: string; readonly answer: Promise<boolean> } | undefined;

  async function answered(checked: string): Promise<boolean> {
    const isRefused = await checkToken(checked, { ...outside, isDoubted: () => token() === checked });
    if (checking?.token === checked) checking = undefined;
    // The user may have signed in again during the check of the old token.
    if (isRefused && token() === checked) onRefused();
    return token() !== null;
  }

  return () => {
    const present = token();
    if (present === null) return Promise.resolve(false);
    if (checking?.token !== present) checking = { token: present, answer: answered(present) };
    return checking.answer;
  };
}

/**
 * Asks the server until it answers whether it accepts a token (app-shell §7). Only 401 and 403 with the server's own
 * body refuse a token. A network failure, a timeout, another status or a page of a proxy says nothing about it. The
 * check then retries with backoff (ADR 0025). While the browser is offline it sends no request (D16).
 *
 * @returns whether the server refuses the token.
 */
async function checkToken(token: string, outside: Dependencies): Promise<boolean> {
  for (let failures = 0; ; failures += 1) {
    if (!outside.connectivity.isOnline()) await online(outside);
    if (!outside.isDoubted()) return false;
    try {
      await outside.product.refreshToken(token);
      return false;
    } catch (error) {
      if (isRefusal(error)) {
        outside.logger.warn('the stored session was refused', error);
        return true;
      }
      outside.logger.warn('the stored session could not be checked', error);
    }
    await online(outside, retryWaitMs(failures, outside.random));
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ProductError && error.refusal !== undefined && (error.status === 401 || error.status === 403);

/** Resolves when the network returns, or after `limitMs` milliseconds. Default: no limit. */
function online({ connectivity, clock, waits }: Dependencies, limitMs?: number): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = connectivity.subscribe(() => {
      if (connectivity.isOnline()) go();
    });
    const limit = limitMs === undefined ? undefined : clock.after(limitMs, () => go());
    const stop = (): void => {
      unsubscribe();
      limit?.cancel();
    };
    function go(): void {
      stop();
      waits.delete(stop);
      resolve();
    }
    waits.add(stop);
  });
}
