import type { HttpResponse, RequestHead, Admission } from '../http/request.ts';
import { consumeAll, limitsBy, type RateLimits } from '../budgets/rate-limits.ts';
import { SOCKET_BUDGETS } from '../budgets/socket-budgets.ts';
import { isCallingPath, routeOf } from '../exchange/http/routes.ts';
import type { HttpEdge } from './http-server.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';
import { ROUTE_BUDGETS } from '../budgets/calling-budgets.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { tooMany } from '../exchange/http/refusals.ts';

const LIMITS = limitsBy('request', SOCKET_BUDGETS.request, 'address');

/** Counts every request by the client's address before `admit` reads it. */
export function admitWithin(rateLimits: RateLimits, admit: HttpEdge['admit']): HttpEdge['admit'] {
  return async (head) => {
    const seconds = await consumeAll(rateLimits, LIMITS, head.address);
    return seconds === null ? admit(head) : refusalOf(head, seconds);
  };
}

/** Returns the refusal in the form of the API that the path belongs to. */
function refusalOf({ path }: Pick<RequestHead, 'path'>, seconds: number): HttpResponse {
  const message = 'Too many requests. Try again later.';
  const body = isCallingPath(path.replace(/^\/scripts\/[^/]*/, ''))
    ? { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message }
    : { code: 'too_many', message, retry_after: seconds };
  return { status: 429, body, headers: { 'retry-after': String(seconds) } };
}

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
