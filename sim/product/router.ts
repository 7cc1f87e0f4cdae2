import * as v from 'valibot';
import { endpointOf, PRODUCT_API, type EndpointName } from '../../src/protocol/product/api.ts';
import type { Access, SentFile } from '../../src/protocol/product/endpoint.ts';
import { JSON_TYPE, type Admission, type HttpRequest, type RequestHead } from '../http/request.ts';
import { limitsBy, type NamedLimit, type RateLimits } from '../budgets/rate-limits.ts';
import { productBudget } from '../budgets/table.ts';
import type { Handlers, Me } from './handlers.ts';
import { refuseTooMany } from './refuse-too-many.ts';
import { Refusal } from './refusal.ts';

interface Route {
  readonly name: EndpointName;
  readonly pattern: RegExp;
}

const isName = (name: string): name is EndpointName => Object.hasOwn(PRODUCT_API, name);

const ROUTES: readonly Route[] = Object.keys(PRODUCT_API)
  .filter(isName)
  .map((name) => ({ name, pattern: patternOf(endpointOf(name).path) }))
  // A path without parameters comes before one whose parameter would match its last part.
  .toSorted((a, b) => parametersIn(a.name) - parametersIn(b.name));

/** The longest part of a schema's message that a refusal quotes. */
const MESSAGE_CHARACTERS = 200;

const KEY = /^[\w-]{8,128}$/;

/** A larger body is read only from a client with a valid session, if the endpoint needs one. */
const SESSION_FIRST_BYTES = 64 * 1024;

/** Routes a request to its handler: counts it, authorizes it, and parses it by its schemas. */
export class Router {
  readonly #handlers: Readonly<Record<EndpointName, (asked: never) => unknown>>;
  readonly #whose: (token: string) => Promise<Me | undefined>;
  readonly #rateLimits: RateLimits;

  constructor(handlers: Handlers, whose: (token: string) => Promise<Me | undefined>, rateLimits: RateLimits) {
    this.#handlers = handlers;
    this.#whose = whose;
    this.#rateLimits = rateLimits;
  }

  /**
   * Returns what body a request may send, before the body is read. @throws Refusal `too_many`, and for a request that
   * is not answered.
   */
  async admit(head: RequestHead): Promise<Admission> {
    const { name } = find(head);
    const { access, takes } = endpointOf(name);
    const budget = productBudget(name);
    await refuseTooMany(this.#rateLimits, limitsBy(name, budget, 'address'), head.address);
    if (budget.maxBytes > SESSION_FIRST_BYTES) await this.#letIn(access, head);
    return { maxBytes: budget.maxBytes, mediaTypes: takes ?? [JSON_TYPE] };
  }

  /** Returns the body of the answer. @throws Refusal for a request that is not answered. */
  async answer(request: HttpRequest): Promise<unknown> {
    const { name, params } = find(request);
    const endpoint = endpointOf(name);
    const me = await this.#letIn(endpoint.access, request);
    if (me) await refuseTooMany(this.#rateLimits, limitsBy(name, productBudget(name), 'account'), me.uId);
    const asked = {
      me,
      address: request.address,
      params,
      ...(endpoint.query ? { query: read(endpoint.query, request.query) } : {}),
      ...(endpoint.body ? { body: read(endpoint.body, request.body) } : {}),
      ...(endpoint.takes ? { body: fileOf(endpoint.takes, request) } : {}),
      ...(endpoint.header ? { header: request.headers[endpoint.header] ?? null } : {}),
      ...(endpoint.isIdempotent ? { key: keyOf(request) } : {}),
    };
    const answer = await this.#handle(name, asked, me);
    // Fields that the schema does not name are left out, so that no data leaves the server by accident (S07).
    return v.parse(endpoint.answer, answer);
  }

  /**
   * Calls the handler of this name. A request to a busy server does not use up the longer rate limits of the account.
   */
  async #handle(name: EndpointName, asked: unknown, me: Me | null): Promise<unknown> {
    try {
      // The schemas have just parsed the request into what this handler takes.
      return await this.#handlers[name](asked as never);
    } catch (error) {
      if (me && error instanceof Refusal && error.code === 'busy') {
        for (const limit of longerOf(limitsBy(name, productBudget(name), 'account'))) {
          await this.#rateLimits.giveBack(limit, me.uId);
        }
      }
      throw error;
    }
  }

  async #letIn(access: Access, { headers }: RequestHead): Promise<Me | null> {
    if (access === 'anybody') return null;
    const me = await this.#whose(bearerOf(headers));
    if (!me) throw new Refusal('signed_out', 'Sign in first.');
    if (access !== 'user' && access !== me.genderType) {
      throw new Refusal('not_yours', `Only a ${access} may send this request.`);
    }
    return me;
  }
}

/** Returns all limits but the shortest, which limits how often a client asks a busy server. */
function longerOf(limits: readonly NamedLimit[]): readonly NamedLimit[] {
  const shortest = Math.min(...limits.map(({ seconds }) => seconds));
  return limits.filter(({ seconds }) => seconds > shortest);
}

function find({ method, path }: RequestHead): { name: EndpointName; params: Readonly<Record<string, string>> } {
  const here = ROUTES.flatMap((route) => {
    const match = route.pattern.exec(path);
    return match ? [{ name: route.name, groups: match.groups ?? {} }] : [];
  });
  if (here.length === 0) throw new Refusal('not_found', 'No endpoint has this path.');
  const found = here.find(({ name }) => endpointOf(name).method === method);
  if (!found) throw new Refusal('wrong_method', 'The endpoint does not accept this method.');
  const params = Object.entries(found.groups).map(([name, part]) => [name, decoded(part)]);
  return { name: found.name, params: Object.fromEntries(params) };
}

function read(schema: v.GenericSchema, value: unknown): unknown {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = v.getDotPath(issue) ?? 'body';
  // The message may quote the value, which may be as long as a body.
  const message = issue.message.slice(0, MESSAGE_CHARACTERS);
  throw new Refusal('invalid', `${field} is wrong: ${message}`, { field });
}

function fileOf(takes: readonly string[], { body }: HttpRequest): SentFile {
  if (!isFile(body)) throw new Refusal('invalid', 'The body must be a file.', { field: 'body' });
  if (!takes.includes(body.mediaType)) throw new Refusal('wrong_file', `The file must be one of ${takes.join(', ')}.`);
  return body;
}

const isFile = (body: unknown): body is SentFile =>
  typeof body === 'object' && body !== null && 'bytes' in body && body.bytes instanceof Uint8Array;

function keyOf({ headers }: HttpRequest): string {
  const key = headers['idempotency-key'] ?? '';
  if (!KEY.test(key)) {
    throw new Refusal('invalid', 'Idempotency-Key must be 8 to 128 letters, digits, "-" or "_".', {
      field: 'idempotency-key',
    });
  }
  return key;
}

/** Returns the bearer token of a request. Empty without one. */
export function bearerOf(headers: HttpRequest['headers']): string {
  return /^Bearer ([\w-]+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '';
}

/** Decodes a part of a path. @throws Refusal `invalid` when it is not correctly encoded. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal('invalid', 'The path is not correctly percent-encoded.');
  }
}

function patternOf(path: string): RegExp {
  const parts = path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/]+)` : part.replaceAll('.', '\\.')));
  return new RegExp(`^${parts.join('')}$`);
}

function parametersIn(name: EndpointName): number {
  return endpointOf(name).path.split('{').length - 1;
}
