/** Every hostile form of every request of the product: what its test and the bench of abuse fire. */
import { toJsonSchema } from '@valibot/to-json-schema';
import { productBudget } from '../../../sim/budgets/table.ts';
import { endpointOf, PRODUCT_API, type EndpointName } from '../../../src/protocol/product/api.ts';
import { hostileBodies } from './hostile-bodies.ts';

export const PRODUCT_REQUESTS = Object.keys(PRODUCT_API) as EndpointName[];
/** Less than what Node takes of a request line and its headers. */
const LONG = 12_000;

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  /** The bearer token; empty where the request brings none. */
  readonly token: string;
  /** The media type of the body. Default: JSON. */
  readonly type?: string;
  readonly body?: string | Buffer;
}

/** The user of the demo who may ask for it; null where anybody may. */
export function userFor(name: EndpointName): 'alice' | 'bob' | null {
  const { access } = endpointOf(name);
  if (access === 'anybody') return null;
  return access === 'man' ? 'bob' : 'alice';
}

export const pathOf = (name: EndpointName, part = 'x'): string => endpointOf(name).path.replaceAll(/\{\w+\}/g, part);

/** Every hostile form of a request: with a session and without, as large as may be and one byte larger. */
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

/** The names in the query of a request. */
function queryOf(name: EndpointName): object {
  const { query } = endpointOf(name);
  const schema = query && toJsonSchema(query, { errorMode: 'ignore', typeMode: 'input' });
  return schema?.properties ?? {};
}
