import * as v from 'valibot';
import { loginRequest, type DemoUser, type LoginResponse, type Person } from '../../src/protocol/product.ts';
import { Allowances } from '../exchange/budget.ts';
import type { HttpRequest } from '../exchange/http/request.ts';
import type { Clock, Ids, Link } from '../exchange/ports.ts';
import type { People, ProductPerson } from './people.ts';
import { PresenceBoard, type CallingPresence } from './presence.ts';
import { SignIns } from './sign-ins.ts';

/** What is sent back: JSON, or text of a media type of its own. */
export interface ProductResponse {
  readonly status: number;
  readonly body: unknown;
  readonly mediaType?: string;
}

/** A socket that is not opened: the HTTP status of the upgrade. */
export interface SocketRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** An open socket, from the side of the product. */
export interface ProductSocket {
  closed(): void;
}

export interface ProductOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly people: People;
  /** In the demo world people sign in without a password. */
  readonly isDemo: boolean;
  readonly calling: CallingPresence;
  /** Where the pictures are, without a slash at the end. */
  readonly apiUrl: string;
  /** Draws somebody's portrait: an svg. */
  readonly portrait: (person: ProductPerson) => string;
}

class ProductRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (request: HttpRequest, part: string) => ProductResponse;
}

/** Logins tried for one user: enough for people and tests, too few to guess a password (S14). */
const LOGINS = { burst: 60, perSecond: 1 };

const ONLINE_PATH = /^\/ws\/online\/([^/]+)$/;
const EVENTS_PATH = '/ws/events';

/** The product server: accounts, people and presence, as far as the web app needs them. It has no sockets itself. */
export class Product {
  readonly #people: People;
  readonly #signIns: SignIns;
  readonly #presence: PresenceBoard;
  readonly #logins: Allowances;
  readonly #options: ProductOptions;
  readonly #routes: readonly Route[];

  constructor(options: ProductOptions) {
    this.#options = options;
    this.#people = options.people;
    this.#signIns = new SignIns(options.clock, options.ids);
    this.#logins = new Allowances(LOGINS, () => options.clock.now());
    this.#presence = new PresenceBoard(options.clock, options.calling);
    this.#routes = [
      { method: 'POST', path: /^\/auth\/login$/, answer: ({ body }) => this.#login(body) },
      {
        method: 'GET',
        path: /^\/auth\/refresh_token$/,
        answer: (request) => ({ status: 200, body: { u_id: this.#bearer(request) } }),
      },
      { method: 'GET', path: /^\/users$/, answer: (request) => this.#users(this.#bearer(request)) },
      { method: 'GET', path: /^\/demo\/users$/, answer: () => this.#demoUsers() },
      { method: 'GET', path: /^\/portraits\/([^/]+)\.svg$/, answer: (_, uId) => this.#portrait(uId) },
    ];
  }

  /** Answers a request. A refusal is `{ code, message }`, its code the HTTP status; never throws. */
  http(request: HttpRequest): ProductResponse {
    try {
      const here = this.#routes.flatMap((route) => {
        const match = route.path.exec(request.path);
        return match ? [{ route, part: decoded(match[1] ?? '') }] : [];
      });
      if (here.length === 0) throw new ProductRefusal(404, 'There is no such path.');
      const found = here.find(({ route }) => route.method === request.method);
      if (!found) throw new ProductRefusal(405, 'The path does not take this method.');
      return found.route.answer(request, found.part);
    } catch (error) {
      if (!(error instanceof ProductRefusal)) throw error;
      return { status: error.status, body: { code: error.status, message: error.message } };
    }
  }

  /**
   * Opens one of the product's sockets: `/ws/online/{u_id}`, by which somebody is online, or `/ws/events`, which tells of
   * others. The bearer token comes as the websocket's subprotocol (D17).
   *
   * Refused: 404 another path, 401 no valid token, 403 the token of somebody else.
   */
  socket(path: string, token: string, link: Pick<Link, 'send'>): ProductSocket | SocketRefusal {
    const online = ONLINE_PATH.exec(path);
    if (!online && path !== EVENTS_PATH) return { status: 404, code: 404, message: 'There is no such path.' };
    const uId = this.#signIns.find(token);
    if (uId === undefined) return { status: 401, code: 401, message: 'Sign in first.' };
    if (online) {
      if (online[1] !== encodeURIComponent(uId))
        return { status: 403, code: 403, message: 'The token is not of this user.' };
      return { closed: this.#presence.open(uId) };
    }
    return { closed: this.#presence.onChange((change) => link.send(JSON.stringify(change))) };
  }

  /** Whether the calling service takes this user with this token; null where none was given. */
  mayCall(userId: string, accessToken: string | null): boolean {
    if (!this.#people.get(userId)) return false;
    if (accessToken === null) return this.#options.isDemo;
    return this.#signIns.isCallingToken(userId, accessToken);
  }

  /** The address of somebody's picture. */
  portraitUrl(uId: string): string {
    return `${this.#options.apiUrl}/portraits/${encodeURIComponent(uId)}.svg`;
  }

  dispose(): void {
    this.#presence.dispose();
  }

  #login(body: unknown): ProductResponse {
    const request = v.safeParse(loginRequest, body);
    if (!request.success) throw new ProductRefusal(400, `${v.getDotPath(request.issues[0]) ?? 'body'} is wrong.`);
    const { user_id, password } = request.output;
    if (!this.#logins.take(user_id)) throw new ProductRefusal(429, 'Too many logins. Try again later.');
    const person = this.#people.get(user_id);
    const isRight = person && (this.#options.isDemo || (person.password !== undefined && person.password === password));
    // One answer for an unknown user and a wrong password.
    if (!person || !isRight) throw new ProductRefusal(401, 'The user or the password is wrong.');
    const answer: LoginResponse = {
      token: this.#signIns.open(user_id),
      u_id: user_id,
      gender_type: person.gender_type,
      calling_user_id: user_id,
      calling_access_token: this.#signIns.callingToken(user_id),
    };
    return { status: 200, body: answer };
  }

  #users(me: string): ProductResponse {
    const users = this.#people.all.filter(({ u_id }) => u_id !== me).map((person) => this.#seen(person));
    return { status: 200, body: { users } };
  }

  #seen({ password: _, ...person }: ProductPerson): Person {
    const { u_id } = person;
    return {
      ...person,
      profile_url: this.portraitUrl(u_id),
      presence: this.#presence.of(u_id),
      last_seen_at: this.#presence.lastSeenAt(u_id),
    };
  }

  #demoUsers(): ProductResponse {
    if (!this.#options.isDemo) throw new ProductRefusal(404, 'There is no demo here.');
    const users: DemoUser[] = this.#people.all.map(({ u_id, nickname, gender_type }) => ({
      u_id,
      nickname,
      profile_url: this.portraitUrl(u_id),
      gender_type,
    }));
    return { status: 200, body: { users } };
  }

  #portrait(uId: string): ProductResponse {
    const person = this.#people.get(uId);
    if (!person) throw new ProductRefusal(404, 'There is nobody of this name.');
    return { status: 200, body: this.#options.portrait(person), mediaType: 'image/svg+xml; charset=utf-8' };
  }

  #bearer({ headers }: HttpRequest): string {
    const [, token = ''] = /^Bearer ([\w-]+)$/i.exec(headers['authorization'] ?? '') ?? [];
    const uId = this.#signIns.find(token);
    if (uId === undefined) throw new ProductRefusal(401, 'Sign in first.');
    return uId;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ProductRefusal(400, 'The path is not encoded well.');
  }
}
