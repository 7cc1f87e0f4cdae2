import type { CallingRoute } from '../../../src/protocol/calling-api.ts';
import { ROUTE_BUDGETS } from '../../budgets/calling-budgets.ts';
import type { InputBudget } from '../../budgets/input-budget.ts';
import { TokenBuckets } from '../limits/token-buckets.ts';
import { deviceKey, type DeviceId } from '../directory/sessions.ts';
import { budgetOf } from '../settings.ts';

interface Counted {
  readonly allowances: TokenBuckets;
  readonly keyOf: (device: DeviceId) => string;
}

/** Counts the requests of devices and accounts against the rows of the table, by the clock of the exchange. */
export class RequestBudgets {
  readonly #byRoute: ReadonlyMap<CallingRoute, readonly Counted[]>;

  /**
   * @param now - the monotonic clock, milliseconds.
   * @param factor - multiplies the points of each row.
   */
  constructor(now: () => number, factor: number) {
    const routes = Object.keys(ROUTE_BUDGETS).filter(isRoute);
    this.#byRoute = new Map(routes.map((route) => [route, countedIn(ROUTE_BUDGETS[route], now, factor)]));
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
function countedIn({ limits, sender }: InputBudget, now: () => number, factor: number): Counted[] {
  if (sender === 'anybody') return [];
  return limits.flatMap((limit) => {
    const { burst, perSecond } = budgetOf(limit);
    const counted = { allowances: new TokenBuckets({ burst: burst * factor, perSecond: perSecond * factor }, now) };
    if (limit.by === 'device') return [{ ...counted, keyOf: deviceKey }];
    return limit.by === 'account' ? [{ ...counted, keyOf: ({ userId }: DeviceId) => userId }] : [];
  });
}
