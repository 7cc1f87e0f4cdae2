import { ErrorCode } from '../../../src/protocol/errors.ts';
import type { Admission, HttpRequest, HttpResponse, RequestHead } from '../../http/request.ts';

/** The part of a server that decides about requests, and answers them. */
interface Served {
  admit(head: RequestHead): Promise<Admission | HttpResponse>;
  http(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}

const STARTING: HttpResponse = {
  status: 503,
  body: { code: ErrorCode.ERR_REQUEST_FAILED, message: 'The server is starting. Try again.' },
};

/**
 * The answer to a client that begins something new on a server that is about to stop. The client tries again: 503
 * ends no session.
 */
const RESTARTING: HttpResponse = {
  status: 503,
  body: { code: ErrorCode.ERR_REQUEST_FAILED, message: 'The server is restarting. Try again.' },
  headers: { 'retry-after': '5' },
};

/**
 * The paths of logins of the calling service, and of requests that open a session of the product. Both also exist
 * below a script.
 */
const LOGIN = /^(?:\/scripts\/[^/]+)?\/(?:v1\/users\/[^/]+\/login|auth\/(?:login|register|password\/reset))$/;

const refuseAll = (refusal: HttpResponse): Served => ({
  admit: () => Promise.resolve(refusal),
  http: () => refusal,
});

/** The gate in front of a server. It refuses requests with 503 while the server starts or stops. */
export class Gate implements Served {
  #behind = refuseAll(STARTING);

  admit(head: RequestHead): Promise<Admission | HttpResponse> {
    return this.#behind.admit(head);
  }

  http(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    return this.#behind.http(request);
  }

  /** Lets requests through to the server from now on. */
  open(served: Served): void {
    this.#behind = served;
  }

  /** Refuses logins from now on. Other requests pass as before. */
  refuseLogins(): void {
    const before = this.#behind;
    this.#behind = {
      admit: (head) => (LOGIN.test(head.path) ? Promise.resolve(RESTARTING) : before.admit(head)),
      http: (request) => before.http(request),
    };
  }

  /** Refuses every request from now on. */
  close(): void {
    this.#behind = refuseAll(RESTARTING);
  }
}
