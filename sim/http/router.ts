import * as v from 'valibot';
import type { Endpoint, SentFile } from '../../src/protocol/endpoint.ts';
import type { InputBudget } from '../budgets/input-budget.ts';
import type { HttpRefusal } from './http-refusal.ts';
import { JSON_TYPE, type Admission, type HttpRequest, type RequestHead } from './request.ts';

/** The fault of a request that no handler receives. */
export type RequestFault =
  | { readonly kind: 'unknown path' | 'wrong method' | 'wrong encoding' | 'no file' | 'wrong key' }
  | { readonly kind: 'wrong media type'; readonly accepted: readonly string[] }
  | {
      readonly kind: 'wrong value';
      readonly part: 'params' | 'query' | 'body';
      /** The first violation of the schema of this part. */
      readonly issue: v.BaseIssue<unknown>;
    };

export interface RouterOptions<Name extends string, Access extends string> {
  readonly names: readonly Name[];
  readonly endpointOf: (name: Name) => Endpoint<Access>;
  readonly budgetOf: (name: Name) => InputBudget;
  /** Returns the refusal of a fault, with the code and the message of this API. */
  readonly refuse: (fault: RequestFault) => HttpRefusal;
  /** Whether an empty part of a path may be a parameter. Default: false. */
  readonly isEmptyAllowed?: boolean;
}

/** The endpoint of a request. */
export interface Found<Name extends string, Access extends string = string> {
  readonly name: Name;
  readonly endpoint: Endpoint<Access>;
  readonly budget: InputBudget;
  /** The names of the path's parameters, with their texts as the client encoded them. */
  readonly encoded: Readonly<Record<string, string>>;
}

/** The parts of a request, as far as its endpoint has them. */
export interface ReadRequest {
  readonly params: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly header?: string | null;
  readonly key?: string;
}

/** A part of a path between two slashes. */
interface Part {
  readonly text: string;
  /** The name of the parameter in braces. Undefined for a plain text. */
  readonly parameter: string | undefined;
}

interface Route<Name> {
  readonly name: Name;
  readonly method: string;
  readonly parts: readonly Part[];
}

const partsOf = (path: string): Part[] =>
  path.split('/').map((text) => ({ text, parameter: /^\{(\w+)\}$/.exec(text)?.[1] }));

const KEY = /^[\w-]{8,128}$/;

/** Finds the endpoint of a request in a table, and reads the request by the schemas of the endpoint. */
export class Router<Name extends string, Access extends string> {
  readonly #options: RouterOptions<Name, Access>;
  /** A path without parameters comes before one whose parameter would match the same part. */
  readonly #routes: readonly Route<Name>[];

  constructor(options: RouterOptions<Name, Access>) {
    this.#options = options;
    this.#routes = options.names
      .map((name) => {
        const { method, path } = options.endpointOf(name);
        return { name, method, parts: partsOf(path) };
      })
      .toSorted((a, b) => parametersIn(a) - parametersIn(b));
  }

  /** Returns the name of the endpoint. Undefined for an unknown path or method. */
  nameOf({ method, path }: Pick<RequestHead, 'method' | 'path'>): Name | undefined {
    return this.#routesOf(path.split('/')).find((route) => route.method === method)?.name;
  }

  /**
   * Finds the endpoint of a request.
   * @throws HttpRefusal when no endpoint has the path, or none of those has the method.
   */
  find({ method, path }: RequestHead): Found<Name, Access> {
    const { refuse, endpointOf, budgetOf } = this.#options;
    const parts = path.split('/');
    const here = this.#routesOf(parts);
    if (here.length === 0) throw refuse({ kind: 'unknown path' });
    const route = here.find((one) => one.method === method);
    if (!route) throw refuse({ kind: 'wrong method' });
    const encoded = route.parts.flatMap(({ parameter }, at) =>
      parameter === undefined ? [] : [[parameter, parts[at] ?? '']],
    );
    const { name } = route;
    return { name, endpoint: endpointOf(name), budget: budgetOf(name), encoded: Object.fromEntries(encoded) };
  }

  /** Returns the body that a request may send. */
  admission({ endpoint, budget }: Found<Name, Access>): Admission {
    return { maxBytes: budget.maxBytes, mediaTypes: endpoint.takes ?? [JSON_TYPE] };
  }

  /**
   * Decodes the parameters of the path.
   * @throws HttpRefusal when one is not correctly percent-encoded.
   */
  params({ encoded }: Found<Name, Access>): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(encoded).map(([name, part]) => [name, this.decoded(part)]));
  }

  /**
   * Decodes a part of a path.
   * @throws HttpRefusal when it is not correctly percent-encoded.
   */
  decoded(part: string): string {
    try {
      return decodeURIComponent(part);
    } catch {
      throw this.#options.refuse({ kind: 'wrong encoding' });
    }
  }

  /**
   * Reads a request by the schemas of its endpoint: path, query, body, header and key, in this order.
   * @throws HttpRefusal for the first fault.
   */
  read({ endpoint }: Found<Name, Access>, params: Readonly<Record<string, string>>, request: HttpRequest): ReadRequest {
    const { query, body, unreadBody, takes, header, isIdempotent } = endpoint;
    return {
      params: endpoint.params ? this.#parsed('params', endpoint.params, params) : params,
      ...(query ? { query: this.#parsed('query', query, request.query) } : {}),
      ...(body ? { body: this.#parsed('body', body, request.body) } : {}),
      ...(unreadBody ? { body: request.body } : {}),
      ...(takes ? { body: this.#file(takes, request) } : {}),
      ...(header === undefined ? {} : { header: request.headers[header] ?? null }),
      ...(isIdempotent ? { key: this.#key(request) } : {}),
    };
  }

  #parsed(part: 'params' | 'query' | 'body', schema: v.GenericSchema, value: unknown): unknown {
    const result = v.safeParse(schema, value, { abortEarly: true });
    if (result.success) return result.output;
    throw this.#options.refuse({ kind: 'wrong value', part, issue: result.issues[0] });
  }

  #file(accepted: readonly string[], { body }: HttpRequest): SentFile {
    if (!isFile(body)) throw this.#options.refuse({ kind: 'no file' });
    if (!accepted.includes(body.mediaType)) throw this.#options.refuse({ kind: 'wrong media type', accepted });
    return body;
  }

  #key({ headers }: HttpRequest): string {
    const key = headers['idempotency-key'] ?? '';
    if (!KEY.test(key)) throw this.#options.refuse({ kind: 'wrong key' });
    return key;
  }

  #routesOf(parts: readonly string[]): readonly Route<Name>[] {
    const { isEmptyAllowed = false } = this.#options;
    const fits = ({ text, parameter }: Part, part: string | undefined) =>
      parameter === undefined ? text === part : isEmptyAllowed || part !== '';
    return this.#routes.filter(
      (route) => route.parts.length === parts.length && route.parts.every((part, at) => fits(part, parts[at])),
    );
  }
}

const parametersIn = ({ parts }: Route<string>): number =>
  parts.filter(({ parameter }) => parameter !== undefined).length;

const isFile = (body: unknown): body is SentFile =>
  typeof body === 'object' && body !== null && 'bytes' in body && body.bytes instanceof Uint8Array;
