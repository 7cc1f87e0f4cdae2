import type { Admission, HttpResponse, RequestHead } from '../http/request.ts';
import { ROUTE_BUDGETS } from '../budgets/calling-budgets.ts';
import { consumeAll, limitsBy, type RateLimits } from '../budgets/rate-limits.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { routeOf } from '../exchange/http/routes.ts';
import { tooMany } from '../exchange/http/refusals.ts';

/**
 * Decides about a request to the calling service before its body is read. Limits by address are counted here. Limits
 * by device and by account are counted by the exchange.
 */
export async function admitCalling(
  exchange: Pick<Exchange, 'admit'>,
  rateLimits: RateLimits,
  head: RequestHead,
): Promise<Admission | HttpResponse> {
  const name = routeOf(head);
  if (name) {
    const limits = limitsBy(name, ROUTE_BUDGETS[name], 'address');
    const seconds = await consumeAll(rateLimits, limits, head.address);
    if (seconds !== null) return tooMany(seconds).response;
  }
  return exchange.admit(head);
}
