import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { PATHS } from '../../../src/protocol/http.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import {
  JSON_TYPE,
  type Admission,
  type HttpRequest,
  type HttpResponse,
  type RequestHead,
} from '../../http/request.ts';
import { ROUTE_BUDGETS, type CallingRoute } from '../../budgets/calling-budgets.ts';
import { NOT_OPEN } from '../delivery/connection.ts';
import type { Core } from '../core.ts';
import { action, sender } from './action.ts';
import { debugLogs } from './debug-logs.ts';
import { deleteCustomItems, putCustomItems } from './custom-items.ts';
import { history } from './history.ts';
import { login } from './login.ts';
import { logs } from './logs.ts';
import { missedSignals } from './missed-signals.ts';
import { registerPushToken, unregisterPushToken, unregisterPushTokens } from './push-tokens.ts';
import { authenticated, deviceOf, refuse, tooMany } from './request.ts';
import { summary } from './summary.ts';

/** The parameters of a path. No path has more than three. */
type Ids = [string, string, string];

interface Route {
  /** The row of the table of budgets. */
  readonly name: CallingRoute;
  readonly method: string;
  /** The parts of the path between its slashes. The handler gets those in the place of `:id`, decoded, in order. */
  readonly parts: readonly string[];
  readonly handle: (core: Core, request: HttpRequest, ...ids: Ids) => HttpResponse | Promise<HttpResponse>;
}

const ID = ':id';

const route = (name: CallingRoute, method: string, path: string, handle: Route['handle']): Route => ({
  name,
  method,
  parts: path.split('/').map((part) => (part === encodeURIComponent(ID) ? ID : part)),
  handle,
});

const ROUTES: readonly Route[] = [
  route('callingLogin', 'POST', PATHS.login(ID), login),
  route('action', 'POST', PATHS.action, action),
  route('missedSignals', 'GET', PATHS.missedSignal, missedSignals),
  route('summary', 'POST', PATHS.summary(ID), summary),
  route('putCustomItems', 'PUT', PATHS.customItems(ID), putCustomItems),
  route('deleteCustomItems', 'DELETE', PATHS.customItems(ID), deleteCustomItems),
  route('callHistory', 'GET', PATHS.history(ID), history),
  route('registerPushToken', 'POST', PATHS.pushTokens(ID, ID), registerPushToken),
  route('unregisterPushTokens', 'DELETE', PATHS.pushTokens(ID, ID), unregisterPushTokens),
  route('unregisterPushToken', 'DELETE', PATHS.pushToken(ID, ID, ID), unregisterPushToken),
  route('statsLogs', 'POST', PATHS.logs, logs),
  route('debugLogs', 'POST', PATHS.debugLogs, debugLogs),
];

/** Returns whether the path belongs to the calling service. */
export const isCallingPath = (path: string): boolean => path.startsWith('/v1/');

/** The names of the requests, each once. */
export const CALLING_ROUTES: readonly CallingRoute[] = ROUTES.map(({ name }) => name);

/**
 * Decides about a request before its body is read: whether the path exists, whether the client has the session it
 * needs, and whether it is within the rate limit. Counts nothing.
 */
export function admitHttp(core: Core, head: RequestHead): Admission | HttpResponse {
  return refusing(core, head, () => {
    const { name } = find(head);
    const { sender: whose, maxBytes } = ROUTE_BUDGETS[name];
    const device = whose === 'anybody' ? null : whose === 'visitor' ? sender(core, head) : authenticated(core, head);
    const wait = device && core.requests.waitSeconds(name, device);
    if (wait !== null) throw tooMany(wait);
    return { maxBytes, mediaTypes: [JSON_TYPE] };
  });
}

/** Answers a request of the calling service. A refusal is `{ code, message }` with its HTTP status. Never rejects. */
export async function answerHttp(core: Core, request: HttpRequest): Promise<HttpResponse> {
  return await refusing<HttpResponse | Promise<HttpResponse>>(core, request, () => answered(core, request));
}

async function answered(core: Core, request: HttpRequest): Promise<HttpResponse> {
  try {
    const found = find(request);
    const device = deviceOf(core, request);
    const wait = device ? core.requests.take(found.name, device) : null;
    if (wait !== null) throw tooMany(wait);
    const [first = '', second = '', third = ''] = idsIn(found, request);
    const answer = await found.handle(core, request, first, second, third);
    await core.outbox.passed();
    return answer;
  } catch (error) {
    return failed(core, request, error);
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

/** Returns the name of the request. Undefined for an unknown path or method. */
export const routeOf = ({ method, path }: RequestHead): CallingRoute | undefined =>
  routesOf(path).find((one) => one.method === method)?.name;

function routesOf(path: string): readonly Route[] {
  const parts = path.split('/');
  return ROUTES.filter((one) => matches(one.parts, parts));
}

function find({ method, path }: RequestHead): Route {
  const here = routesOf(path);
  if (here.length === 0)
    throw refuse(404, new CallError(ErrorCode.ERR_REQUEST_FAILED, { message: 'There is no such path.' }));
  const found = here.find((one) => one.method === method);
  if (!found)
    throw refuse(405, new CallError(ErrorCode.ERR_REQUEST_FAILED, { message: 'The path does not take this method.' }));
  return found;
}

/** Returns the parts of the path in the place of `:id`, decoded. */
const idsIn = (found: Route, { path }: RequestHead): string[] =>
  path
    .split('/')
    .filter((_, at) => found.parts[at] === ID)
    .map(decode);

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, at) => part === ID || part === parts[at]);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refuse(400, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'path' }));
  }
}
