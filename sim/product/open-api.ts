/** The product's API as an OpenAPI 3.1 document, generated from the endpoint table that server and app use. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { PRODUCT_API, endpointOf, type EndpointName } from '../../src/protocol/product/api.ts';
import type { Endpoint } from '../../src/protocol/endpoint.ts';
import { REFUSALS, refusalBody } from '../../src/protocol/product/refusals.ts';

type Json = { readonly [Name in string]?: unknown };

const REFUSAL = { $ref: '#/components/schemas/Refusal' };

/** Returns the document. Its content is always the same. */
export function openApiDocument(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of Object.keys(PRODUCT_API) as EndpointName[]) {
    const endpoint = endpointOf(name);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ringback product API',
      version: '1',
      description:
        'Made from src/protocol/product. Times are milliseconds since the epoch; codes of refusals are stable.',
    },
    security: [],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: { ...schemaOf(refusalBody, 'output'), description: Object.keys(REFUSALS).join(', ') } },
    },
  };
}

function operation(name: string, endpoint: Endpoint): Json {
  const { about, access, query, body, answer, isIdempotent } = endpoint;
  const isOpen = access === 'anybody';
  return {
    operationId: name,
    summary: about,
    ...(isOpen ? {} : { security: [{ bearer: [] }] }),
    ...(access === 'man' || access === 'woman' ? { 'x-access': access } : {}),
    parameters: [
      ...[...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => ({
        name: part,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(query ? queryParameters(query) : []),
      ...(isIdempotent
        ? [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', minLength: 8 } }]
        : []),
    ],
    ...(body ? { requestBody: { required: true, content: json(schemaOf(body, 'input')) } } : {}),
    responses: {
      200: { description: 'Done.', content: json(schemaOf(answer, 'output')) },
      default: { description: 'Refused.', content: json(REFUSAL) },
    },
  };
}

function queryParameters(query: v.GenericSchema): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** Describes the input or output type of a schema. A transformation itself cannot be described. */
function schemaOf(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _dialect, ...bare } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
  });
  return bare;
}

const json = (schema: Json): Json => ({ 'application/json': { schema } });
