import * as v from 'valibot';
import { endpointOf, PRODUCT_API, type EndpointName } from '../../src/protocol/product/api.ts';
import type { Access, SentFile } from '../../src/protocol/product/endpoint.ts';
import { JSON_TYPE, type Admission, type RequestHead } from '../budgets/admission.ts';
import { limitsBy, type NamedLimit, type RateLimits } from '../budgets/rate-limits.ts';
import { productBudget } from '../budgets/table.ts';
import type { HttpRequest } from '../exchange/http/request.ts';
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
  // A path without parameters goes before one that would take its last part for a parameter.
  .toSorted((a, b) => parametersIn(a.name) - parametersIn(b.name));

/** Of what a schema says about a value. */
const MESSAGE_CHARACTERS = 200;

const KEY = /^[\w-]{8,128}$/;

/** A body of more bytes than this is read only from a client with a good session, where the request needs one. */
const SESSION_FIRST_BYTES = 64 * 1024;

/** Finds what a request asks, counts it, lets it in or not, reads it by its schemas, and has it answered. */
export class Router {
  readonly #handlers: Readonly<Record<EndpointName, (asked: never) => unknown>>;
  readonly #whose: (token: string) => Promise<Me | undefined>;
  readonly #rateLimits: RateLimits;

  constructor(handlers: Handlers, whose: (token: string) => Promise<Me | undefined>, rateLimits: RateLimits) {
    this.#handlers = handlers;
    this.#whose = whose;
    this.#rateLimits = rateLimits;
  }

  /** What body a request may send, decided before it is read. @throws Refusal what is not answered; too_many. */
  async admit(head: RequestHead): Promise<Admission> {
    const { name } = find(head);
    const { access, takes } = endpointOf(name);
    const budget = productBudget(name);
    await refuseTooMany(this.#rateLimits, limitsBy(name, budget, 'address'), head.address);
    if (budget.maxBytes > SESSION_FIRST_BYTES) await this.#letIn(access, head);
    return { maxBytes: budget.maxBytes, mediaTypes: takes ?? [JSON_TYPE] };
  }

  /** The body of the answer. @throws Refusal what is not answered. */
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
    // What the schema does not name is left out: nothing leaves the server by accident (S07).
    return v.parse(endpoint.answer, answer);
  }

  /** Has the handler of this name answer. A request that finds the server too busy does not use up the longer budgets of the account. */
  async #handle(name: EndpointName, asked: unknown, me: Me | null): Promise<unknown> {
    try {
      // The schemas have just made of the request what the handler of this name takes.
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
      throw new Refusal('not_yours', `This is for every ${access} alone.`);
    }
    return me;
  }
}

/** All but the shortest: that one bounds how often a client asks a busy server. */
function longerOf(limits: readonly NamedLimit[]): readonly NamedLimit[] {
  const shortest = Math.min(...limits.map(({ seconds }) => seconds));
  return limits.filter(({ seconds }) => seconds > shortest);
}

function find({ method, path }: RequestHead): { name: EndpointName; params: Readonly<Record<string, string>> } {
  const here = ROUTES.flatMap((route) => {
    const match = route.pattern.exec(path);
    return match ? [{ name: route.name, groups: match.groups ?? {} }] : [];
  });
  if (here.length === 0) throw new Refusal('not_found', 'There is no such path.');
  const found = here.find(({ name }) => endpointOf(name).method === method);
  if (!found) throw new Refusal('wrong_method', 'The path does not take this method.');
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

/** The bearer token of a request; empty where it brings none. */
export function bearerOf(headers: HttpRequest['headers']): string {
  return /^Bearer ([\w-]+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '';
}

/** A part of a path, decoded. @throws Refusal it is not encoded well. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal('invalid', 'The path is not encoded well.');
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
