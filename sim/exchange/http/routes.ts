import { CallError } from '../../../src/protocol/errors.ts';
import { PATHS } from '../../../src/protocol/http.ts';
import { NOT_OPEN } from '../connection.ts';
import type { Core } from '../core.ts';
import { action } from './action.ts';
import { debugLogs } from './debug-logs.ts';
import { deleteCustomItems, putCustomItems } from './custom-items.ts';
import { history } from './history.ts';
import { login } from './login.ts';
import { logs } from './logs.ts';
import { missedSignals } from './missed-signals.ts';
import { registerPushToken, unregisterPushToken, unregisterPushTokens } from './push-tokens.ts';
import { HttpRefusal, type HttpRequest, type HttpResponse } from './request.ts';
import { summary } from './summary.ts';

/** No path has more. */
type Ids = [string, string, string];

interface Route {
  readonly method: string;
  /** The parts of the path between its slashes; those in the place of `:id` go to the handler, decoded, in order. */
  readonly parts: readonly string[];
  readonly handle: (core: Core, request: HttpRequest, ...ids: Ids) => HttpResponse | Promise<HttpResponse>;
}

const ID = ':id';

const route = (method: string, path: string, handle: Route['handle']): Route => ({
  method,
  parts: path.split('/').map((part) => (part === encodeURIComponent(ID) ? ID : part)),
  handle,
});

const ROUTES: readonly Route[] = [
  route('POST', PATHS.login(ID), login),
  route('POST', PATHS.action, action),
  route('GET', PATHS.missedSignal, missedSignals),
  route('POST', PATHS.summary(ID), summary),
  route('PUT', PATHS.customItems(ID), putCustomItems),
  route('DELETE', PATHS.customItems(ID), deleteCustomItems),
  route('GET', PATHS.history(ID), history),
  route('POST', PATHS.pushTokens(ID, ID), registerPushToken),
  route('DELETE', PATHS.pushTokens(ID, ID), unregisterPushTokens),
  route('DELETE', PATHS.pushToken(ID, ID, ID), unregisterPushToken),
  route('POST', PATHS.logs, logs),
  route('POST', PATHS.debugLogs, debugLogs),
];

/** Whether the path is one of the calling service's. */
export const isCallingPath = (path: string): boolean => path.startsWith('/v1/');

/** Answers a request of the calling service. Refusals are `{ code, message }` with a fitting status; never rejects. */
export async function answerHttp(core: Core, request: HttpRequest): Promise<HttpResponse> {
  if (!core.status.isOpen) {
    const { status, code, message } = NOT_OPEN;
    return { status, body: { code, message } };
  }
  try {
    const answer = await find(request)(core);
    await core.outbox.passed();
    return answer;
  } catch (error) {
    if (error instanceof HttpRefusal) {
      return { status: error.status, body: { code: error.code, message: error.message } };
    }
    core.log.error('a request failed', { path: request.path, error });
    return { status: 500, body: { code: 1400999, message: '' } };
  }
}

function find(request: HttpRequest): (core: Core) => HttpResponse | Promise<HttpResponse> {
  const parts = request.path.split('/');
  const here = ROUTES.filter((one) => matches(one.parts, parts));
  if (here.length === 0) throw new HttpRefusal(404, new CallError(1800200, { message: 'There is no such path.' }));
  const found = here.find(({ method }) => method === request.method);
  if (!found) throw new HttpRefusal(405, new CallError(1800200, { message: 'The path does not take this method.' }));
  const [first = '', second = '', third = ''] = parts.filter((_, at) => found.parts[at] === ID).map(decode);
  return (core) => found.handle(core, request, first, second, third);
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, at) => part === ID || part === parts[at]);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpRefusal(400, new CallError(1800300, { param: 'path' }));
  }
}
