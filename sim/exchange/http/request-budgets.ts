import type { CallingRoute } from '../../../src/protocol/calling-api.ts';
import { ROUTE_BUDGETS } from '../../budgets/calling-budgets.ts';
import type { InputBudget } from '../../budgets/input-budget.ts';
import type { RequestLimitName } from '../cluster.ts';
import type { RateLimiter } from '../limits/token-buckets.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';
import { type Budget, budgetOf } from '../settings.ts';

interface Counted {
  readonly allowances: RateLimiter;
  readonly keyOf: (device: DeviceId) => string;
}

/** Makes the limiter of this name. */
type Limiter = (name: RequestLimitName, budget: Budget) => RateLimiter;

/** Counts the requests of devices and accounts against the rows of the table. */
export class RequestBudgets {
  readonly #byRoute: ReadonlyMap<CallingRoute, readonly Counted[]>;

  /**
   * @param limiter - makes the limiters.
   * @param factor - multiplies the points of each row.
   */
  constructor(limiter: Limiter, factor: number) {
    const routes = Object.keys(ROUTE_BUDGETS).filter(isRoute);
    this.#byRoute = new Map(routes.map((route) => [route, countedIn(route, limiter, factor)]));
  }

  /** Returns the seconds until the device may send this request again. Null when it may now. Counts nothing. */
  waitSeconds(route: CallingRoute, device: DeviceId): number | null {
    const waits = this.#of(route).map(({ allowances, keyOf }) => allowances.waitMs(keyOf(device)));
    const longest = Math.max(0, ...waits);
    return longest === 0 ? null : Math.ceil(longest / 1_000);
  }

  /** Counts a request. Returns the seconds to wait when it is above the limit, and then counts nothing. */
  take(route: CallingRoute, device: DeviceId): number | null {
    const wait = this.waitSeconds(route, device);
    if (wait === null) for (const { allowances, keyOf } of this.#of(route)) allowances.take(keyOf(device));
    return wait;
  }

  #of(route: CallingRoute): readonly Counted[] {
    return this.#byRoute.get(route) ?? [];
  }
}

const isRoute = (name: string): name is CallingRoute => Object.hasOwn(ROUTE_BUDGETS, name);

/** Returns the limits of a row by device and by account. The login counts its own limits. */
function countedIn(route: CallingRoute, limiter: Limiter, factor: number): Counted[] {
  const { limits, sender }: InputBudget = ROUTE_BUDGETS[route];
  if (sender === 'anybody') return [];
  return limits.flatMap((limit) => {
    const { by } = limit;
    if (by !== 'device' && by !== 'account') return [];
    const { burst, perSecond } = budgetOf(limit);
    const allowances = limiter(`${route} by ${by}`, { burst: burst * factor, perSecond: perSecond * factor });
    return [{ allowances, keyOf: by === 'device' ? deviceKey : ({ userId }: DeviceId) => userId }];
  });
}
