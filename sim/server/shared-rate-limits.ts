import { createHash } from 'node:crypto';
import type { NamedLimit, RateLimits } from '../budgets/rate-limits.ts';
import { StateUnreachable, type SharedState, type SharedWindow } from '../cluster/shared-state.ts';
import type { Log } from '../exchange/logging/log.ts';
import { withLoopbackFactor } from './loopback-factor.ts';
import { createMemoryRateLimits, type MemoryRateLimitsOptions } from './memory-rate-limits.ts';

export interface SharedRateLimitsOptions extends MemoryRateLimitsOptions {
  readonly state: SharedState;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Creates rate limits that all nodes count together. While the shared state is unreachable, each node counts in its
 * memory, so that no request waits and limits still hold for each node. The first such count is logged.
 */
export function createSharedRateLimits({ state, log, loopbackFactor }: SharedRateLimitsOptions): RateLimits {
  const memory = createMemoryRateLimits({ loopbackFactor: 1 });
  let isInMemory = false;
  const counted = (inMemory: boolean) => {
    if (inMemory === isInMemory) return;
    isInMemory = inMemory;
    if (inMemory) log.warn('rate limits are counted by this node alone: the shared state is unreachable');
    else log.info('rate limits are counted by all nodes together again');
  };
  /** Resolves with the answer of the shared state, or of the memory of this node. */
  const ask = async <T>(shared: () => Promise<T>, alone: () => Promise<T>): Promise<T> => {
    try {
      // An unreachable state answers after its limit only, so it is not asked.
      const answer = state.isReachable ? await shared() : await Promise.reject(new StateUnreachable());
      counted(false);
      return answer;
    } catch (error) {
      if (!(error instanceof StateUnreachable)) throw error;
      counted(true);
      return alone();
    }
  };
  const limits: RateLimits = {
    consume: (limit, key) =>
      ask(
        async () => {
          const waitMs = await state.count(keyOf(limit, key), windowOf(limit), 1);
          return waitMs === 0 ? null : Math.ceil(waitMs / 1_000);
        },
        () => memory.consume(limit, key),
      ),
    giveBack: (limit, key) =>
      ask(
        async () => void (await state.count(keyOf(limit, key), windowOf(limit), -1)),
        () => memory.giveBack(limit, key),
      ),
    async forget(limit, key) {
      await memory.forget(limit, key);
      await ask(
        () => state.remove([keyOf(limit, key)]),
        async () => undefined,
      );
    },
  };
  return withLoopbackFactor(limits, loopbackFactor);
}

const windowOf = ({ points, seconds }: NamedLimit): SharedWindow => ({ most: points, lifeMs: seconds * 1_000 });

/** Keys are addresses, names and telephone numbers of any length, so only a hash is stored. */
const keyOf = ({ name }: NamedLimit, key: string): string =>
  `rate:${createHash('sha256').update(`${name}\n${key}`).digest('base64url')}`;
