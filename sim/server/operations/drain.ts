import type { Admission, HttpResponse, RequestHead } from '../../http/request.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/**
 * The answer to a client that begins something new on a server that is about to stop. The client tries again: 503
 * ends no session.
 */
export const RESTARTING: HttpResponse = {
  status: 503,
  body: { code: ErrorCode.ERR_REQUEST_FAILED, message: 'The server is restarting. Try again.' },
  headers: { 'retry-after': '5' },
};

/**
 * The paths of logins of the calling service, and of requests that open a session of the product. Both also exist
 * below a script.
 */
const LOGIN = /^(?:\/scripts\/[^/]+)?\/(?:v1\/users\/[^/]+\/login|auth\/(?:login|register|password\/reset))$/;

/** Returns an `admit` that refuses logins and admits other requests as before. */
export const admitNoLogin =
  (admit: (head: RequestHead) => Promise<Admission | HttpResponse>) =>
  (head: RequestHead): Promise<Admission | HttpResponse> =>
    LOGIN.test(head.path) ? Promise.resolve(RESTARTING) : admit(head);

/** Resolves when no call is live, at the latest after `ms` milliseconds. */
export function callsOver(
  exchange: Pick<Exchange, 'liveCalls' | 'subscribe'>,
  clock: Clock,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const isOver = (): boolean => exchange.liveCalls.length === 0;
    if (ms <= 0 || isOver()) return resolve();
    const done = (): void => {
      stop();
      limit.cancel();
      resolve();
    };
    const limit = clock.after(ms, done);
    const stop = exchange.subscribe(({ kind }) => {
      // The exchange notifies listeners of an end before it removes the call from the list.
      if (kind === 'ended') queueMicrotask(() => void (isOver() && done()));
    });
  });
}
