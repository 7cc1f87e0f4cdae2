import type { HttpResponse, RequestHead } from '../http/request.ts';
import { consumeAll, limitsBy, type RateLimits } from '../budgets/rate-limits.ts';
import { SOCKET_BUDGETS } from '../budgets/socket-budgets.ts';
import { isCallingPath } from '../exchange/http/routes.ts';
import type { HttpEdge } from './http-server.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

const LIMITS = limitsBy('request', SOCKET_BUDGETS.request, 'address');

/** Counts every request by the client's address before `admit` reads it. */
export function admitWithin(rateLimits: RateLimits, admit: HttpEdge['admit']): HttpEdge['admit'] {
  return async (head) => {
    const seconds = await consumeAll(rateLimits, LIMITS, head.address);
    return seconds === null ? admit(head) : tooMany(head, seconds);
  };
}

function tooMany({ path }: Pick<RequestHead, 'path'>, seconds: number): HttpResponse {
  const message = 'Too many requests. Try again later.';
  const body = isCallingPath(path.replace(/^\/scripts\/[^/]*/, ''))
    ? { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message }
    : { code: 'too_many', message, retry_after: seconds };
  return { status: 429, body, headers: { 'retry-after': String(seconds) } };
}
