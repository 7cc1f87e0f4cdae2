/** The rate limits of the exchanges of several nodes, which decide at once and count together. */
import { InTurn } from '../exchange/limits/in-turn.ts';
import type { RateLimiter } from '../exchange/limits/token-buckets.ts';
import type { SharedBudget, SharedState } from './shared-state.ts';

export interface SharedLimitOptions {
  readonly state: Pick<SharedState, 'charge' | 'isReachable'>;
  /** The name of the limit. Limiters of one name count together. */
  readonly name: string;
  /** The budget of each key, as the limiter of the node has it. */
  readonly budget: SharedBudget;
  /** The monotonic clock. Milliseconds. */
  readonly now: () => number;
}

/** What this node remembers of a key. */
interface Account {
  /** The allowed points that the shared bucket has not counted yet. */
  untold: number;
  isTelling: boolean;
  /** The time until which the shared bucket has no point. */
  refusedUntil: number;
  /** The time at which the buckets are full, unless the key is used again. The account is then forgotten. */
  fullAt: number;
}

/** The part of a burst that a node may allow before it tells the shared bucket: one operation for several points. */
const UNTOLD = 0.1;
/** The accounts that each use looks at. More than one, so that the search gains on new keys. */
const LOOKS = 2;

/**
 * A rate limiter for all nodes. It decides by the bucket of its node, without waiting, and charges the same points to a
 * shared bucket afterwards. When that is empty, this node refuses the key until it has a point again. The nodes can
 * allow more than the burst together, but the shared bucket then owes these points, so the rate holds over time. Each
 * node can allow a tenth of a burst too many, or one point, and what arrives while the state answers.
 *
 * While the state is unreachable, each node counts alone.
 */
export class SharedLimit implements RateLimiter {
  readonly #here: RateLimiter;
  readonly #options: SharedLimitOptions;
  readonly #byKey = new Map<string, Account>();
  readonly #search = new InTurn(this.#byKey);

  /** @param here - the rate limiter of this node. */
  constructor(here: RateLimiter, options: SharedLimitOptions) {
    this.#here = here;
    this.#options = options;
  }

  take(key: string, points = 1): boolean {
    if (this.#refusedMs(key) > 0 || !this.#here.take(key, points)) return false;
    const account = this.#of(key);
    account.untold += points;
    if (account.untold >= this.#options.budget.burst * UNTOLD) void this.#tell(key, account);
    return true;
  }

  waitMs(key: string, points = 1): number {
    return Math.max(this.#refusedMs(key), this.#here.waitMs(key, points));
  }

  /** The number of keys with an account. */
  get size(): number {
    return this.#byKey.size;
  }

  #refusedMs(key: string): number {
    return Math.max(0, (this.#byKey.get(key)?.refusedUntil ?? -Infinity) - this.#options.now());
  }

  /** Charges the allowed points to the shared bucket. Points that are allowed meanwhile follow in one operation. */
  async #tell(key: string, account: Account): Promise<void> {
    const { state, name, budget, now } = this.#options;
    if (account.isTelling) return;
    account.isTelling = true;
    // An unreachable state answers after its limit only, so it is not asked.
    while (account.untold > 0 && state.isReachable) {
      const points = account.untold;
      account.untold = 0;
      try {
        const waitMs = await state.charge(`limit:${name}:${key}`, budget, points);
        if (waitMs > 0) account.refusedUntil = now() + waitMs;
      } catch {
        // The shared bucket may have counted the points or not. The bucket of this node has.
      }
    }
    account.untold = 0;
    account.isTelling = false;
    account.fullAt = Math.max(account.fullAt, account.refusedUntil + this.#fillMs);
  }

  get #fillMs(): number {
    const { burst, perSecond } = this.#options.budget;
    return (burst / perSecond) * 1_000;
  }

  #of(key: string): Account {
    const at = this.#options.now();
    this.#dropFull(at);
    const account = this.#byKey.get(key) ?? { untold: 0, isTelling: false, refusedUntil: -Infinity, fullAt: at };
    account.fullAt = Math.max(account.fullAt, at + this.#fillMs);
    this.#byKey.set(key, account);
    return account;
  }

  #dropFull(at: number): void {
    for (let look = 0; look < LOOKS; look += 1) {
      const next = this.#search.next();
      if (next && !next[1].isTelling && next[1].fullAt <= at) this.#byKey.delete(next[0]);
    }
  }
}
