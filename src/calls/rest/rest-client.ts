import * as v from 'valibot';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { errorBody, HEADERS } from '../../protocol/http.ts';
import { LIBRARY_VERSION, LIMITS, TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock } from '../../common/clock.ts';
import type { FetchAnswer, FetchPort, FetchRequest } from '../platform/fetch.ts';

/** The credential of a request: the session, none, or a short-lived token in place of the session (§6). */
export type RestAuth = 'session' | 'none' | { readonly shortLivedToken: string };

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface RestRequest<T extends v.GenericSchema> {
  readonly method: FetchRequest['method'];
  /** The path of PATHS, with encoded parts. */
  readonly path: string;
  /** The query. Lists are joined with commas. Undefined values are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** The schema of the answer. `none` ignores it. */
  readonly answer: T | 'none';
  readonly auth: RestAuth;
  /** The id by which the exchange runs a repeated request once. Default: none. */
  readonly requestId?: string;
  /** The longest wait for the whole answer, milliseconds. Default: 60 s. */
  readonly limitMs?: number;
  /** True keeps the request out of the log. A line about each upload of the log would cause the next upload. */
  readonly quiet?: true;
}

export interface RestClientDeps {
  readonly fetch: FetchPort;
  readonly clock: Clock;
  readonly log: Logger;
  /** The address of the requests: `https://host`, without a path. */
  readonly apiHost: string;
  readonly clientId: string;
  /** Returns the token of the session. Undefined while no user is authenticated. */
  readonly session: () => string | undefined;
  /** Returns the user of the session. A refused request is not repeated with the session of another user. */
  readonly userId?: () => string | undefined;
  /**
   * Renews a refused session. Resolves to whether there is another one, with which the request is repeated. Default:
   * never.
   */
  readonly renewed?: (refusedToken: string) => Promise<boolean>;
}

/** An answer of the exchange that refuses a request, with the code of its body. */
export class RefusedRequest extends CallError {
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, { code, message }: { code: number; message?: string | undefined }) {
    super(code, message ? { message } : {});
    this.status = status;
  }
}

/** The part of the client that sends requests. */
export type Rest = Pick<RestClient, 'request'>;

/** JSON requests of the library (§7), with headers, a time limit, and an error code for every failure (§8). */
export class RestClient {
  readonly #deps: RestClientDeps;

  constructor(deps: RestClientDeps) {
    this.#deps = deps;
  }

  /**
   * Sends one request. It is repeated once when its session was refused and the same user has another by then. It is
   * not retried for another reason.
   *
   * @throws CallError
   *   `USER_NOT_AUTHENTICATED` without a session that it needs, or when the exchange refuses the session.
   *   `ERR_NO_RESPONSE_DUE_TO_TIMEOUT` without a complete answer within the limit of the request.
   *   `ERR_MALFORMED_DATA` for a redirect, or an answer that is not JSON or is too large.
   *   `INTERNAL_SERVER_ERROR` for status 500. The code in the body for any other refusal.
   *   `ERR_REQUEST_FAILED` for every other failure. `ERR_WRONG_RESPONSE` for an answer of another shape.
   */
  async request<T extends v.GenericSchema>(request: RestRequest<T>): Promise<v.InferOutput<T>> {
    const { session, userId, renewed } = this.#deps;
    const token = request.auth === 'session' ? session() : undefined;
    const user = userId?.();
    try {
      return await this.#once(request);
    } catch (error) {
      const isRefused = error instanceof CallError && error.code === ErrorCode.USER_NOT_AUTHENTICATED;
      if (!isRefused || token === undefined || !(await renewed?.(token)) || userId?.() !== user) throw error;
      return this.#once(request);
    }
  }

  async #once<T extends v.GenericSchema>(request: RestRequest<T>): Promise<v.InferOutput<T>> {
    const headers = this.#headers(request);
    const { status, text } = await this.#exchange(request, headers);
    if (!request.quiet) this.#deps.log.debug('http answer', { method: request.method, path: request.path, status });
    if (status < 200 || status > 299) throw refusal(status, text, request.auth);
    if (text === '' && request.answer === 'none') return undefined;
    const value = parse(text);
    if (request.answer === 'none') return undefined;
    const result = v.safeParse(request.answer, value);
    if (!result.success) throw new CallError(ErrorCode.ERR_WRONG_RESPONSE);
    return result.output;
  }

  #headers({ auth, body, requestId }: RestRequest<v.GenericSchema>): Record<string, string> {
    const headers: Record<string, string> = {
      [HEADERS.clientId]: this.#deps.clientId,
      [HEADERS.libraryVersion]: LIBRARY_VERSION,
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (requestId !== undefined) headers[HEADERS.requestId] = requestId;
    if (auth === 'session') {
      const token = this.#deps.session();
      if (token === undefined) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
      headers[HEADERS.sessionToken] = token;
    } else if (auth !== 'none') {
      headers[HEADERS.shortLivedToken] = auth.shortLivedToken;
    }
    return headers;
  }

  /** Sends the request and reads the whole answer within the time limit, which includes the whole body. */
  #exchange(
    { method, path, query, body, quiet, limitMs = TIMES.requestTimeoutMs }: RestRequest<v.GenericSchema>,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const { fetch, clock, apiHost, log } = this.#deps;
    const abort = new AbortController();
    return new Promise((resolve, reject) => {
      const limit = clock.after(limitMs, () => {
        reject(new CallError(ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT));
        abort.abort();
      });
      const whole = async () => {
        const answer = await fetch(`${apiHost.replace(/\/+$/, '')}${path}${queryText(query)}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: abort.signal,
        });
        if (isRedirect(answer)) throw new CallError(ErrorCode.ERR_MALFORMED_DATA);
        return { status: answer.status, text: await answer.text() };
      };
      whole()
        .then(resolve, (cause: unknown) => {
          if (!quiet) log.debug('http request failed', { method, path, cause });
          reject(cause instanceof CallError ? cause : new CallError(ErrorCode.ERR_REQUEST_FAILED, { cause }));
        })
        .finally(() => limit.cancel());
    });
  }
}

const isRedirect = ({ status, redirected }: FetchAnswer) => redirected || (status >= 300 && status <= 399);

function queryText(query: RestRequest<v.GenericSchema>['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function parse(text: string): unknown {
  if (text.length > LIMITS.httpBodyBytes) throw new CallError(ErrorCode.ERR_MALFORMED_DATA);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallError(ErrorCode.ERR_MALFORMED_DATA, { cause });
  }
}

function refusal(status: number, text: string, auth: RestAuth): CallError {
  if (status === 500) return new CallError(ErrorCode.INTERNAL_SERVER_ERROR);
  const said = readErrorBody(text);
  if (said) return new RefusedRequest(status, said);
  return new CallError(
    status === 401 && auth === 'session' ? ErrorCode.USER_NOT_AUTHENTICATED : ErrorCode.ERR_REQUEST_FAILED,
  );
}

function readErrorBody(text: string): v.InferOutput<typeof errorBody> | undefined {
  try {
    const result = v.safeParse(errorBody, parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
