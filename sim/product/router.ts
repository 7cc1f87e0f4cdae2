import * as v from 'valibot';
import { endpointOf, PRODUCT_API, type EndpointName, type ProductAccess } from '../../src/protocol/product/api.ts';
import { limitsBy, type NamedLimit, type RateLimits } from '../budgets/rate-limits.ts';
import { productBudget } from '../budgets/table.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Admission, HttpRequest, RequestHead } from '../http/request.ts';
import { Router, type RequestFault } from '../http/router.ts';
import { isDeclared } from './declared-refusals.ts';
import type { Handlers, Me } from './handlers.ts';
import { refuseTooMany, Refusal } from './refusal.ts';

/** The longest part of a schema's message that a refusal quotes. */
const MESSAGE_CHARACTERS = 200;

const isName = (name: string): name is EndpointName => Object.hasOwn(PRODUCT_API, name);

const ROUTER = new Router<EndpointName, ProductAccess>({
  names: Object.keys(PRODUCT_API).filter(isName),
  endpointOf,
  budgetOf: productBudget,
  refuse: refusalOf,
});

/** The log entry of a handler that refuses with a code that the documents of its endpoint do not list. */
export const UNDECLARED = 'a refusal is not in the list of its request';

/** A larger body is read only from a client with a valid session, if the endpoint needs one. */
const SESSION_FIRST_BYTES = 64 * 1024;

/** Routes a request to its handler: counts it, authorizes it, and parses it by its schemas. */
export class ProductRouter {
  readonly #handlers: Readonly<Record<EndpointName, (parsed: never) => unknown>>;
  readonly #userOf: (token: string) => Promise<Me | undefined>;
  readonly #rateLimits: RateLimits;
  readonly #log: Pick<Log, 'error'>;

  constructor(
    handlers: Handlers,
    userOf: (token: string) => Promise<Me | undefined>,
    { rateLimits, log }: { readonly rateLimits: RateLimits; readonly log: Pick<Log, 'error'> },
  ) {
    this.#handlers = handlers;
    this.#userOf = userOf;
    this.#rateLimits = rateLimits;
    this.#log = log;
  }

  /**
   * Returns what body a request may send, before the body is read. @throws Refusal `too_many`, and for a request that
   * is not answered.
   */
  async admit(head: RequestHead): Promise<Admission> {
    const found = ROUTER.find(head);
    // A wrongly encoded path is refused before it is counted.
    ROUTER.params(found);
    const { name, endpoint, budget } = found;
    await refuseTooMany(this.#rateLimits, limitsBy(name, budget, 'address'), head.address);
    if (budget.maxBytes > SESSION_FIRST_BYTES) await this.#letIn(endpoint.access, head);
    return ROUTER.admission(found);
  }

  /** Returns the body of the answer. @throws Refusal for a request that is not answered. */
  async answer(request: HttpRequest): Promise<unknown> {
    const found = ROUTER.find(request);
    const params = ROUTER.params(found);
    const { name, endpoint, budget } = found;
    const me = await this.#letIn(endpoint.access, request);
    if (me) await refuseTooMany(this.#rateLimits, limitsBy(name, budget, 'account'), me.uId);
    const parsed = { me, address: request.address, ...ROUTER.read(found, params, request) };
    const answer = await this.#handle(name, parsed, me);
    // Fields that the schema does not name are left out, so that no data leaves the server by accident (S07).
    return v.parse(endpoint.answer, answer);
  }

  /**
   * Calls the handler of this name. A request to a busy server does not use up the longer rate limits of the account.
   */
  async #handle(name: EndpointName, parsed: unknown, me: Me | null): Promise<unknown> {
    try {
      // The schemas have just parsed the request into what this handler takes.
      return await this.#handlers[name](parsed as never);
    } catch (error) {
      if (error instanceof Refusal && !isDeclared(name, error.code)) {
        this.#log.error(UNDECLARED, { request: name, refusal: error.code });
      }
      if (me && error instanceof Refusal && error.code === 'busy') {
        for (const limit of longerOf(limitsBy(name, productBudget(name), 'account'))) {
          await this.#rateLimits.giveBack(limit, me.uId);
        }
      }
      throw error;
    }
  }

  async #letIn(access: ProductAccess, { headers }: RequestHead): Promise<Me | null> {
    if (access === 'anybody') return null;
    const me = await this.#userOf(bearerOf(headers));
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

function refusalOf(fault: RequestFault): Refusal {
  switch (fault.kind) {
    case 'unknown path':
      return new Refusal('not_found', 'No endpoint has this path.');
    case 'wrong method':
      return new Refusal('wrong_method', 'The endpoint does not accept this method.');
    case 'wrong encoding':
      return new Refusal('invalid', 'The path is not correctly percent-encoded.');
    case 'no file':
      return new Refusal('invalid', 'The body must be a file.', { field: 'body' });
    case 'wrong media type':
      return new Refusal('wrong_file', `The file must be one of ${fault.accepted.join(', ')}.`);
    case 'wrong key':
      return new Refusal('invalid', 'Idempotency-Key must be 8 to 128 letters, digits, "-" or "_".', {
        field: 'idempotency-key',
      });
    case 'wrong value': {
      const field = v.getDotPath(fault.issue) ?? 'body';
      // The message may quote the value, which may be as long as a body.
      const message = fault.issue.message.slice(0, MESSAGE_CHARACTERS);
      return new Refusal('invalid', `${field} is wrong: ${message}`, { field });
    }
    default:
      return fault satisfies never;
  }
}

/** Returns the bearer token of a request. Empty without one. */
export function bearerOf(headers: HttpRequest['headers']): string {
  return /^Bearer ([\w-]+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '';
}

/** Decodes a part of a path. @throws Refusal `invalid` when it is not correctly encoded. */
export const decoded = (part: string): string => ROUTER.decoded(part);
