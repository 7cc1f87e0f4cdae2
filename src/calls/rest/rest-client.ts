import * as v from 'valibot';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { errorBody, HEADERS } from '../../protocol/http.ts';
import { LIBRARY_VERSION, LIMITS, TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock } from '../platform/clock.ts';
import type { FetchAnswer, FetchPort, FetchRequest } from '../platform/fetch.ts';

/** The credential of a request: the session, none, or a short-lived token in place of the session (§6). */
export type RestAuth = 'session' | 'none' | { readonly shortLivedToken: string };

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface RestRequest<T extends v.GenericSchema> {
  readonly method: FetchRequest['method'];
  /** The path, its parts encoded: from PATHS. */
  readonly path: string;
  /** Lists are joined with commas; undefined values are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The shape of the answer; `none` where nothing in it matters. */
  readonly answer: T | 'none';
  readonly auth: RestAuth;
  /** Not a word of it in the log: a line about each upload of the log would never let it come to rest. */
  readonly quiet?: true;
}

export interface RestClientDeps {
  readonly fetch: FetchPort;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where the requests go: `https://host`, without a path. */
  readonly apiHost: string;
  readonly clientId: string;
  /** The token of the session, undefined while no user is authenticated. */
  readonly session: () => string | undefined;
  /** The user of the session. A refused request is not made again with the session of another user. */
  readonly userId?: () => string | undefined;
  /** Resolves to whether there is another session than this refused one; then the request is made again. Default: never. */
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

/** What parts that make requests need of the client. */
export type Rest = Pick<RestClient, 'request'>;

/** JSON requests of the library (§7): headers, the time limit, and every failure as its code (§8). */
export class RestClient {
  readonly #deps: RestClientDeps;

  constructor(deps: RestClientDeps) {
    this.#deps = deps;
  }

  /**
   * Makes one request. It is made again, once, where its session was refused and the same user has another by then. Nothing
   * else is retried here.
   *
   * @throws CallError
   *   1800303 a session is needed and there is none, or the exchange does not take it any more;
   *   1800203 no complete answer within 60 s, however many bytes trickle;
   *   1800208 a redirect, or an answer that is not JSON or too large;
   *   1800207 status 500; the code in the body of any other refusal; 1800200 every other failure;
   *   1800205 an answer of another shape.
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

  #headers({ auth, body }: RestRequest<v.GenericSchema>): Record<string, string> {
    const headers: Record<string, string> = {
      [HEADERS.clientId]: this.#deps.clientId,
      [HEADERS.libraryVersion]: LIBRARY_VERSION,
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (auth === 'session') {
      const token = this.#deps.session();
      if (token === undefined) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
      headers[HEADERS.sessionToken] = token;
    } else if (auth !== 'none') {
      headers[HEADERS.shortLivedToken] = auth.shortLivedToken;
    }
    return headers;
  }

  /** Sends and reads the whole answer within the time limit: the total counts, not the silence between bytes. */
  #exchange(
    { method, path, query, body, quiet }: RestRequest<v.GenericSchema>,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const { fetch, clock, apiHost, log } = this.#deps;
    const abort = new AbortController();
    return new Promise((resolve, reject) => {
      const limit = clock.after(TIMES.requestTimeoutMs, () => {
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
