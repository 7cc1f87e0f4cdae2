import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { callingDocument } from '../../../sim/exchange/http/open-api.ts';
import type { Json } from '../../../sim/http/open-api.ts';
import { openApiDocument } from '../../../sim/product/open-api.ts';
import { CALLING_API, callingEndpointOf, type CallingRoute } from '../../../src/protocol/calling-api.ts';
import { endpointOf, PRODUCT_API, type EndpointName } from '../../../src/protocol/product/api.ts';
import { Documented } from './documented.ts';

const address = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

const APIS: readonly (readonly [string, Json, ReadonlyMap<string, string>])[] = [
  [
    'product',
    openApiDocument(),
    new Map((Object.keys(PRODUCT_API) as EndpointName[]).map((name) => [name, address(endpointOf(name))])),
  ],
  [
    'calling service',
    callingDocument(),
    new Map((Object.keys(CALLING_API) as CallingRoute[]).map((name) => [name, address(callingEndpointOf(name))])),
  ],
];

/** The schemas in a part of a document. */
function schemasIn(part: unknown): object[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    name === 'schema' && typeof value === 'object' && value !== null ? [value] : schemasIn(value),
  );
}

describe.each(APIS)('the OpenAPI document of the %s', (_, document, endpoints) => {
  it('follows the specification of OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has every request of the table, each under its name', () => {
    expect(new Documented(document).operations).toEqual(endpoints);
  });

  it('has schemas that JSON Schema 2020-12 defines', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false });
    const schemas = schemasIn(document);
    expect(schemas.length).toBeGreaterThan(endpoints.size);
    ajv.addKeyword('components');
    for (const schema of schemas) ajv.compile({ ...schema, components: document['components'] });
  });
});
