/** OpenAPI 3.1 documents of tables of endpoints. */
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Endpoint } from '../../src/protocol/endpoint.ts';
import { errorBody } from '../../src/protocol/http.ts';
import type { InputBudget } from '../budgets/input-budget.ts';

/** An object of a JSON document. */
export type Json = { readonly [Name in string]?: unknown };

export interface DescribedApi<Name extends string, Access extends string> {
  readonly title: string;
  readonly description: string;
  readonly names: readonly Name[];
  readonly endpointOf: (name: Name) => Endpoint<Access>;
  readonly budgetOf: (name: Name) => InputBudget;
  /** The schema of a refusal. Default: that of the calling service, which the edge of the server uses for both APIs. */
  readonly refusal?: object;
  /** The codes of the refusals that endpoints imply, by their status. Default: the document does not name them. */
  readonly impliedCodes?: Readonly<Partial<Record<ImpliedStatus, string>>>;
  readonly securitySchemes: Json;
  /** Returns the alternative credentials of an access. Empty when the request needs none. */
  readonly securityOf: (access: Access) => readonly Json[];
}

/** The refusals that the schemas, the access and the budget of an endpoint imply. */
const IMPLIED = {
  400: 'A value of the request is wrong.',
  401: 'The credentials are missing or not valid.',
  403: 'Another user, or another kind of user, may send this request.',
  413: 'The body is too large.',
  415: 'The body has another media type.',
  429: 'The client sends too many requests.',
} as const;
export type ImpliedStatus = keyof typeof IMPLIED;
const IMPLIED_STATUSES = [400, 401, 403, 413, 415, 429] as const satisfies readonly ImpliedStatus[];

const EDGE = 'The refusal of a request whose host, origin or body is wrong.';
const RETRY_AFTER = { description: 'Seconds.', required: true, schema: { type: 'integer' } };

const LEAST_KEY = 8;
const LONGEST_KEY = 128;

/** Returns the document of an API. Its content is always the same. */
export function openApiOf<Name extends string, Access extends string>(api: DescribedApi<Name, Access>): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of api.names) {
    const { path, method } = api.endpointOf(name);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(api, name) };
  }
  const edge = schemaOf(errorBody, 'output');
  const hasTwoForms = api.refusal !== undefined;
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: '1', description: api.description },
    security: [],
    paths,
    components: {
      securitySchemes: api.securitySchemes,
      schemas: {
        Refusal: api.refusal ?? edge,
        ...(hasTwoForms ? { RequestRefusal: { ...edge, description: EDGE } } : {}),
      },
      responses: Object.fromEntries([
        ...IMPLIED_STATUSES.map((status) => [
          `Refused${status}`,
          refused(String(status), impliedDescription(status, api.impliedCodes?.[status]), hasTwoForms),
        ]),
        ['Refused', refused('default', 'Any other refusal, or a failure of the server.', hasTwoForms)],
      ]),
    },
  };
}

function operation<Name extends string, Access extends string>(api: DescribedApi<Name, Access>, name: Name): Json {
  const endpoint = api.endpointOf(name);
  const { access, about, answer } = endpoint;
  const security = api.securityOf(access);
  return {
    operationId: name,
    summary: about,
    ...(security.length === 0 ? {} : { security }),
    ...(isRestricted(access) ? { 'x-access': access } : {}),
    parameters: parameters(endpoint),
    ...requestBody(endpoint),
    responses: {
      200: { description: 'Done.', content: json(schemaOf(answer, 'output')) },
      ...refusals(api, name),
      default: { $ref: '#/components/responses/Refused' },
    },
  };
}

function parameters({ path, params, query, header, isIdempotent }: Endpoint): Json[] {
  const known = params && objectOf(params).properties;
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: known?.get(name) ?? { type: 'string' },
    })),
    ...(query ? queryParameters(query) : []),
    ...(header === undefined ? [] : [{ name: header, in: 'header', required: false, schema: { type: 'string' } }]),
    ...(isIdempotent
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: true,
            schema: { type: 'string', minLength: LEAST_KEY, maxLength: LONGEST_KEY },
          },
        ]
      : []),
  ];
}

function queryParameters(query: v.GenericSchema): Json[] {
  const { properties, required } = objectOf(query);
  return [...properties].map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function requestBody({ body, unreadBody = body, takes }: Endpoint): Json {
  if (takes) {
    return { requestBody: { required: true, content: Object.fromEntries(takes.map((type) => [type, {}])) } };
  }
  if (!unreadBody) return {};
  const required = unreadBody.type !== 'optional';
  return { requestBody: { required, content: json(schemaOf(unreadBody, 'input')) } };
}

/** Returns the refusals of an endpoint by status. The codes of the table are in the description. */
function refusals<Name extends string, Access extends string>(api: DescribedApi<Name, Access>, name: Name): Json {
  const endpoint = api.endpointOf(name);
  const implied = impliedStatuses(endpoint, api.budgetOf(name));
  const ofImplied = implied.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]);
  const ofTable = Object.entries(endpoint.errors ?? {}).map(([status, codes = []]) => {
    const also = implied.filter((one) => String(one) === status).flatMap((one) => api.impliedCodes?.[one] ?? []);
    return [status, refused(status, `${[...also, ...codes].join(', ')}.`, api.refusal !== undefined)];
  });
  return { ...Object.fromEntries(ofImplied), ...Object.fromEntries(ofTable) };
}

/** Returns the statuses of the refusals that the schemas, the access and the budget of an endpoint imply. */
export function impliedStatuses(endpoint: Endpoint, { maxBytes }: InputBudget): readonly ImpliedStatus[] {
  const { path, access, params, query, body, unreadBody, takes, isIdempotent } = endpoint;
  const isRead =
    [params, query, body, unreadBody, takes, isIdempotent].some((part) => part !== undefined) || path.includes('{');
  const isImplied: Readonly<Record<ImpliedStatus, boolean>> = {
    400: isRead,
    401: access !== 'anybody',
    403: isRestricted(access),
    413: maxBytes > 0,
    415: maxBytes > 0,
    429: true,
  };
  return IMPLIED_STATUSES.filter((status) => isImplied[status]);
}

const impliedDescription = (status: ImpliedStatus, code: string | undefined): string =>
  code === undefined ? IMPLIED[status] : `${IMPLIED[status]} The code is ${code}.`;

/** Returns whether the request is for some of the signed-in users. */
const isRestricted = (access: string): boolean => !['anybody', 'visitor', 'user'].includes(access);

/** Returns a response with a refusal. The edge of the server refuses requests with some of the statuses as well. */
function refused(status: string, description: string, hasTwoForms: boolean): Json {
  const own = { $ref: '#/components/schemas/Refusal' };
  const isOwn = !hasTwoForms || ['401', '402', '404', '409', '410', '423', '429'].includes(status);
  return {
    description,
    ...(status === '429' ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    content: json(isOwn ? own : { anyOf: [own, { $ref: '#/components/schemas/RequestRefusal' }] }),
  };
}

/** Returns the properties of an object schema, or of the objects of an intersection. */
function objectOf(schema: v.GenericSchema) {
  const whole = schemaOf(schema, 'input');
  const parts = [whole, ...(whole.allOf ?? [])].filter((part) => typeof part === 'object');
  return {
    properties: new Map(parts.flatMap(({ properties = {} }) => Object.entries(properties))),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** Describes the input or output type of a schema. A transformation itself cannot be described. */
export function schemaOf(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...bare } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      'entries' in valibotSchema && isObject(valibotSchema.entries)
        ? withBoundedParts(valibotSchema.entries, jsonSchema, typeMode)
        : undefined,
  });
  return bare;
}

/** Describes the lists and records of an object that count their items before they read one (`bounded-list.ts`). */
function withBoundedParts(entries: object, object: JsonSchema, typeMode: 'input' | 'output'): JsonSchema {
  const bounded = Object.entries(entries).flatMap(([name, entry]: [string, unknown]) => {
    const found = boundedIn(entry);
    if (!found) return [];
    const { items, most } = found;
    return [[name, { ...schemaOf(items, typeMode), ...(most === undefined ? {} : { maxItems: most }) }]];
  });
  return { ...object, properties: { ...object.properties, ...Object.fromEntries(bounded) } };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isSchema = (value: unknown): value is v.GenericSchema =>
  isObject(value) && 'kind' in value && value.kind === 'schema';

/** Returns the list or record behind a check of its size, and the most items. Undefined for any other schema. */
function boundedIn(
  schema: unknown,
): { readonly items: v.GenericSchema; readonly most: number | undefined } | undefined {
  if (!isSchema(schema)) return undefined;
  if (schema.type === 'optional' && 'wrapped' in schema) return boundedIn(schema.wrapped);
  if (schema.type !== 'custom' || !('pipe' in schema) || !Array.isArray(schema.pipe)) return undefined;
  const parts: readonly unknown[] = schema.pipe;
  const items = parts.at(-1);
  const most = v.safeParse(maxLength, parts[1]);
  return isSchema(items) ? { items, most: most.success ? most.output.requirement : undefined } : undefined;
}

const maxLength = v.object({ type: v.literal('max_length'), requirement: v.number() });

const json = (schema: object): Json => ({ 'application/json': { schema } });
