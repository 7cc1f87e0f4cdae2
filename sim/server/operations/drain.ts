import type { Admission, RequestHead } from '../../budgets/admission.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Clock } from '../../exchange/ports.ts';
import type { Answer } from '../http-server.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** The answer to a client that begins something new on a server that is about to stop. The client asks again: 503 ends no session. */
export const RESTARTING: Answer = {
  status: 503,
  body: { code: ErrorCode.ERR_REQUEST_FAILED, message: 'The server restarts. Try again.' },
  headers: { 'retry-after': '5' },
};

/** Logins of the calling service, and what opens a session of the product, here and in the world of a script. */
const LOGIN = /^(?:\/scripts\/[^/]+)?\/(?:v1\/users\/[^/]+\/login|auth\/(?:login|register|password\/reset))$/;

/** Admits as before, but no login. */
export const admitNoLogin =
  (admit: (head: RequestHead) => Promise<Admission | Answer>) =>
  (head: RequestHead): Promise<Admission | Answer> =>
    LOGIN.test(head.path) ? Promise.resolve(RESTARTING) : admit(head);

/** Resolves when no call goes on any more, at the latest after so many milliseconds. */
export function callsOver(exchange: Pick<Exchange, 'liveCalls' | 'onCall'>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const isOver = (): boolean => exchange.liveCalls.length === 0;
    if (ms <= 0 || isOver()) return resolve();
    const done = (): void => {
      stop();
      clock.clearTimeout(limit);
      resolve();
    };
    const limit = clock.setTimeout(done, ms);
    const stop = exchange.onCall(({ kind }) => {
      // Listeners hear of an end before the call has gone from the list.
      if (kind === 'ended') queueMicrotask(() => void (isOver() && done()));
    });
  });
}
