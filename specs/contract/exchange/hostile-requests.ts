/** The hostile forms of every request of the product, for its test and for the bench of abuse. */
import { toJsonSchema } from '@valibot/to-json-schema';
import { productBudget } from '../../../sim/budgets/table.ts';
import { endpointOf, PRODUCT_API, type EndpointName } from '../../../src/protocol/product/api.ts';
import { hostileBodies } from './hostile-bodies.ts';

export const PRODUCT_REQUESTS = Object.keys(PRODUCT_API) as EndpointName[];
/** A length below the limit of Node for a request line with its headers. */
const LONG = 12_000;

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  /** The bearer token. Empty for a request without a token. */
  readonly token: string;
  /** The media type of the body. Default: JSON. */
  readonly type?: string;
  readonly body?: string | Buffer;
}

/** Returns the demo user who may send the request. Null when it needs no session. */
export function userFor(name: EndpointName): 'alice' | 'bob' | null {
  const { access } = endpointOf(name);
  if (access === 'anybody') return null;
  return access === 'man' ? 'bob' : 'alice';
}

export const pathOf = (name: EndpointName, part = 'x'): string => endpointOf(name).path.replaceAll(/\{\w+\}/g, part);

/** Yields the hostile forms of a request, with and without a session, at the largest size and one byte above it. */
export function* hostileForms(name: EndpointName, good: string): Generator<HostileRequest> {
  const { method, body, query, takes } = endpointOf(name);
  const { maxBytes } = productBudget(name);
  for (const token of new Set(['', good])) {
    yield { method, path: pathOf(name, 'x'.repeat(LONG)), token };
    yield { method, path: pathOf(name, '%'), token };
    const path = pathOf(name);
    if (query) {
      for (const field of Object.keys(queryOf(name))) {
        yield { method, path: `${path}?${field}=${'9'.repeat(LONG)}`, token };
      }
      yield { method, path: `${path}?${'a=1&'.repeat(LONG / 4)}`, token };
    }
    if (body) {
      const schema = toJsonSchema(body, { errorMode: 'ignore', typeMode: 'input' });
      for (const [, text] of hostileBodies(schema, maxBytes)) yield { method, path, token, body: text };
      yield { method, path, token, body: ' '.repeat(maxBytes + 1) };
    }
    for (const type of takes ?? [])
      yield { method, path: `${path}?for=chat`, token, type, body: Buffer.alloc(maxBytes) };
  }
}

/** Returns an object with the query parameters of a request. */
function queryOf(name: EndpointName): object {
  const { query } = endpointOf(name);
  const schema = query && toJsonSchema(query, { errorMode: 'ignore', typeMode: 'input' });
  return schema?.properties ?? {};
}
