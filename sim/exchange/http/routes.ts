import {
  CALLING_API,
  callingEndpointOf,
  type CallingAccess,
  type CallingRoute,
} from '../../../src/protocol/calling-api.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { ROUTE_BUDGETS } from '../../budgets/calling-budgets.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import type { Admission, HttpRequest, HttpResponse, RequestHead } from '../../http/request.ts';
import { Router } from '../../http/router.ts';
import { NOT_OPEN } from '../delivery/connection.ts';
import type { Core } from '../core.ts';
import { action } from './action.ts';
import { authenticate, authorize, deviceOf } from './authenticate.ts';
import { debugLogs, statsLogs } from './client-logs.ts';
import { deleteCustomItems, putCustomItems } from './custom-items.ts';
import { askOwner, ownerOfRequest } from './forwarded.ts';
import type { Handlers } from './handlers.ts';
import { history } from './history.ts';
import { login } from './login.ts';
import { missedSignals } from './missed-signals.ts';
import { registerPushToken, unregisterPushToken, unregisterPushTokens } from './push-tokens.ts';
import { refuseFault, refuseWith, tooMany } from './refusals.ts';
import { ROOM_HANDLERS } from './rooms.ts';
import { summary } from './summary.ts';

const HANDLERS: Handlers = {
  callingLogin: login,
  action,
  missedSignals,
  summary,
  putCustomItems,
  deleteCustomItems,
  callHistory: history,
  registerPushToken,
  unregisterPushTokens,
  unregisterPushToken,
  statsLogs,
  debugLogs,
  ...ROOM_HANDLERS,
};

const isRoute = (name: string): name is CallingRoute => Object.hasOwn(CALLING_API, name);

/** The names of the requests, each once. */
export const CALLING_ROUTES: readonly CallingRoute[] = Object.keys(CALLING_API).filter(isRoute);

const ROUTER = new Router<CallingRoute, CallingAccess>({
  names: CALLING_ROUTES,
  endpointOf: callingEndpointOf,
  budgetOf: (name) => ROUTE_BUDGETS[name],
  refuse: refuseFault,
  isEmptyAllowed: true,
});

/** Returns whether the path belongs to the calling service. */
export const isCallingPath = (path: string): boolean => path.startsWith('/v1/');

/** Returns the name of the request. Undefined for an unknown path or method. */
export const routeOf = (head: RequestHead): CallingRoute | undefined => ROUTER.nameOf(head);

/**
 * Decides about a request before its body is read: whether the path exists, whether the client has the session it
 * needs, and whether it is within the rate limit. Counts nothing.
 */
export function admitHttp(core: Core, head: RequestHead): Admission | HttpResponse {
  return refusing(core, head, () => {
    const found = ROUTER.find(head);
    const device = authenticate(core, found.endpoint.access, head);
    const wait = device && core.requests.waitSeconds(found.name, device);
    if (wait !== null) throw tooMany(wait);
    return ROUTER.admission(found);
  });
}

/** Answers a request of the calling service. A refusal is `{ code, message }` with its HTTP status. Never rejects. */
export async function answerHttp(core: Core, request: HttpRequest): Promise<HttpResponse> {
  return await refusing<HttpResponse | Promise<HttpResponse>>(core, request, () => answered(core, request));
}

async function answered(core: Core, request: HttpRequest): Promise<HttpResponse> {
  try {
    const found = ROUTER.find(request);
    const sender = deviceOf(core, request);
    const wait = sender ? core.requests.take(found.name, sender) : null;
    if (wait !== null) throw tooMany(wait);
    const params = ROUTER.params(found);
    const { access } = found.endpoint;
    const device = authenticate(core, access, request);
    authorize(access, device, params);
    // The schemas parse the request into what the handler of this name takes.
    const handle: (core: Core, asked: never) => unknown = HANDLERS[found.name];
    const asked = { device, head: request, ...ROUTER.read(found, params, request) };
    const owner = device && ownerOfRequest(core, found.name, asked);
    const there = owner && (await askOwner(owner, device, { route: found.name, ...asked }));
    if (there) return there;
    // The exchange may have begun to stop meanwhile, and stores no call any more.
    if (owner && !core.status.isOpen) throw refuseWith(NOT_OPEN.status, NOT_OPEN);
    const body = await handle(core, asked as never);
    await core.outbox.passed();
    return { status: 200, body };
  } catch (error) {
    if (error instanceof HttpRefusal) return error.response;
    const answer = failed(core, request, error);
    return (await core.policy.explain?.(error)) ?? answer;
  }
}

/** Returns the answer of `act`. Returns a refusal when it throws, or when the exchange is not open. */
function refusing<T>(core: Core, head: RequestHead, act: () => T): T | HttpResponse {
  if (!core.status.isOpen) {
    const { status, code, message } = NOT_OPEN;
    return { status, body: { code, message } };
  }
  try {
    return act();
  } catch (error) {
    return failed(core, head, error);
  }
}

/** Logs the name of the request, not its path: the path of a push token holds the token. */
function failed(core: Core, head: RequestHead, error: unknown): HttpResponse {
  if (error instanceof HttpRefusal) return error.response;
  core.log.error('a request failed', { request: routeOf(head), error });
  return { status: 500, body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' } };
}
