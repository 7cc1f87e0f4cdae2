import * as v from 'valibot';
import type { AskOf, EndpointName, ProductAnswer } from '../../../protocol/product/api.ts';
import { filledPath, type Endpoint } from '../../../protocol/endpoint.ts';
import { SLOWEST_UPLOAD_BYTES_PER_MS } from '../../../protocol/product/media.ts';
import { refusalBody } from '../../../protocol/product/refusals.ts';
import type { HttpFetch } from '../ports/ports.ts';
import { ProductError } from './product-error.ts';

/** The client for requests to the product server. Every failure is a `ProductError`. */
export interface ProductClient {
  /**
   * Sends a request by its name in the contract (`PRODUCT_API`), with the session token if the user has one.
   *
   * @param signal - aborts the request.
   */
  ask<Name extends EndpointName>(name: Name, asked: AskOf<Name>, signal?: AbortSignal): Promise<ProductAnswer<Name>>;
  /** Validates a stored token (app-shell §7). The body of the answer is not read. */
  refreshToken(token: string): Promise<void>;
}

/** The parts that a request may have. */
interface AnyAsk {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly header?: string | null;
  readonly key?: string;
}

/**
 * The limit of a request in milliseconds. It exceeds every healthy answer, and is short enough for a user who waits. A
 * large body gets more time.
 */
const REQUEST_LIMIT_MS = 15_000;

/** Creates a client for the server at `apiUrl`. `token` returns the session token, or null without a session. */
export function createProductClient(apiUrl: string, doFetch: HttpFetch, token: () => string | null): ProductClient {
  async function request(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const limit = AbortSignal.timeout(limitMs(init.body));
    let response: Response;
    try {
      response = await doFetch(`${apiUrl}${path}`, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch (cause) {
      throw new ProductError('unreachable', `No answer from ${path}`, { cause });
    }
    if (!response.ok) {
      const body = v.safeParse(refusalBody, await response.json().catch(() => null));
      throw new ProductError('refused', `${path} answered ${response.status}`, {
        status: response.status,
        ...(body.success ? { refusal: body.output } : {}),
      });
    }
    return response;
  }

  return {
    async refreshToken(checked) {
      await request('/auth/refresh_token', { headers: bearer(checked) });
    },

    async ask<Name extends EndpointName>(name: Name, asked: AskOf<Name>, signal?: AbortSignal) {
      // The token is read before the first wait, because a sign-out removes it at once.
      const present = token();
      const endpoint = await endpointOf(name);
      const { params = {}, query = {}, body, header, key } = asked as AnyAsk;
      const path = filledPath<string>(endpoint.path, params);
      const response = await request(
        `${path}${queryText(query)}`,
        {
          method: endpoint.method,
          // A user may close the page right after the sign-out, and the session must still end.
          keepalive: name === 'logout',
          headers: {
            ...(endpoint.access === 'anybody' || present === null ? {} : bearer(present)),
            ...(body === undefined ? {} : { 'content-type': endpoint.takes ? typeOf(body) : 'application/json' }),
            ...(endpoint.header && header ? { [endpoint.header]: header } : {}),
            ...(key === undefined ? {} : { 'idempotency-key': key }),
          },
          ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
        },
        signal,
      );
      const answer: unknown = await response.json().catch((cause: unknown) => {
        throw new ProductError('malformed', `The answer of ${path} is not JSON`, { cause });
      });
      const result = v.safeParse(endpoint.answer, answer);
      if (!result.success) {
        const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
        throw new ProductError('malformed', `The answer of ${path} does not match the contract. ${faults.join('; ')}`);
      }
      // The schema of this name has just parsed the answer. The type of the table is too wide for the compiler.
      return result.output as ProductAnswer<Name>;
    },
  };
}

/** Returns the media type of a file, without the codecs that a recorder adds. */
const typeOf = (body: unknown): string => (body instanceof Blob ? (body.type.split(';')[0] ?? '') : '');

/** Loads the table of requests. It is large, and the first screen of a visitor does not need it. */
async function endpointOf(name: EndpointName): Promise<Endpoint> {
  try {
    const contract = await import('../../../protocol/product/api.ts');
    return contract.endpointOf(name);
  } catch (cause) {
    throw new ProductError('unreachable', 'The code of requests could not be loaded', { cause });
  }
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function limitMs(body: RequestInit['body']): number {
  const bytes = body instanceof Blob ? body.size : typeof body === 'string' ? body.length : 0;
  return REQUEST_LIMIT_MS + Math.ceil(bytes / SLOWEST_UPLOAD_BYTES_PER_MS);
}
