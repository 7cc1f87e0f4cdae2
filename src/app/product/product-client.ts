import {
  type DemoUser,
  type LoginResponse,
  type Person,
  demoUsersResponse,
  loginResponse,
  peopleResponse,
} from '../../protocol/product.ts';
import * as v from 'valibot';
import type { HttpFetch } from '../ports/http-fetch.ts';
import { ProductError } from './product-error.ts';

/** The requests the app makes to the product server. Every failure is a `ProductError`. */
export interface ProductClient {
  /** Validates a stored token (app-shell §7). The body of the answer is not read. */
  refreshToken(token: string): Promise<void>;
  login(userId: string): Promise<LoginResponse>;
  demoUsers(): Promise<DemoUser[]>;
  people(token: string): Promise<Person[]>;
}

/** Longer than any healthy answer; short enough that nobody stares at a skeleton for ever. */
const REQUEST_LIMIT_MS = 15_000;

export function createProductClient(apiUrl: string, doFetch: HttpFetch): ProductClient {
  async function request(path: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await doFetch(`${apiUrl}${path}`, { ...init, signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
    } catch (cause) {
      throw new ProductError('unreachable', `No answer from ${path}`, { cause });
    }
    if (!response.ok) {
      throw new ProductError('refused', `${path} answered ${response.status}`, { status: response.status });
    }
    return response;
  }

  async function read<Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    init: RequestInit,
  ): Promise<v.InferOutput<Schema>> {
    const response = await request(path, init);
    const body: unknown = await response.json().catch((cause: unknown) => {
      throw new ProductError('malformed', `${path} did not answer with JSON`, { cause });
    });
    const result = v.safeParse(schema, body);
    if (!result.success) {
      const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
      throw new ProductError('malformed', `${path} broke the contract. ${faults.join('; ')}`);
    }
    return result.output;
  }

  return {
    async refreshToken(token) {
      await request('/auth/refresh_token', { headers: bearer(token) });
    },
    login: (userId) =>
      read(loginResponse, '/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user_id: userId }),
      }),
    demoUsers: async () => (await read(demoUsersResponse, '/demo/users', {})).users,
    people: async (token) => (await read(peopleResponse, '/users', { headers: bearer(token) })).users,
  };
}

function bearer(token: string): HeadersInit {
  return { authorization: `Bearer ${token}` };
}
