import { joined } from '../../src/common/joined.ts';
import { Lifetime } from '../../src/common/lifetime.ts';
import { CLOSE_SESSION_OVER } from '../../src/protocol/close-codes.ts';
import { JSON_TYPE, type Admission, type HttpRequest, type HttpResponse, type RequestHead } from '../http/request.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { SERVED_BUDGETS } from '../budgets/product-budgets.ts';
import { limitsBy } from '../budgets/rate-limits.ts';
import { SOCKET_BUDGETS } from '../budgets/socket-budgets.ts';
import { TokenBucket } from '../exchange/limits/token-bucket.ts';
import type { Link } from '../exchange/ports.ts';
import type { UserPayload } from '../../src/protocol/entities.ts';
import type { PushPayload } from '../../src/protocol/product/push.ts';
import { Callers } from './accounts/callers.ts';
import { OpenSockets } from './accounts/open-sockets.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { callingTokenOf, type SignedOut } from './accounts/sign-ins.ts';
import type { DialQuestion } from '../exchange/calls/call-event.ts';
import type { Quotes } from './billing/quotes.ts';
import { mayMeet } from './people/sides.ts';
import type { ExchangeUser } from '../exchange/directory/users.ts';
import type { InvitationQuestion } from '../exchange/policy.ts';
import type { UnreachedEvent } from '../exchange/events.ts';
import type { Notified } from './push/devices.ts';
import type { EventHub } from './event-hub.ts';
import { MemoryEventHub } from './events/memory-event-hub.ts';
import { SharedEventHub } from './events/shared-event-hub.ts';
import { Heartbeats } from './heartbeats.ts';
import { callingDocument } from '../exchange/http/open-api.ts';
import type { Me } from './handlers.ts';
import { openApiDocument } from './open-api.ts';
import type { ProductParts } from './parts.ts';
import { fileResponse } from './media/byte-range.ts';
import type { MediaSize } from './media/media.ts';
import { drawPortrait } from './portraits.ts';
import { PresenceBoard } from './presence.ts';
import { refuseTooMany } from './refusal.ts';
import { bearerOf, decoded, ProductRouter } from './router.ts';
import { makeParts } from './make-parts.ts';
import type { ProductOptions } from './product-options.ts';
import { openAreas } from './open-areas.ts';

/** The refusal of a socket, with the HTTP status of the upgrade. */
export interface SocketRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** An open socket, from the side of the product. */
export interface ProductSocket {
  /** Receives a message of a client. The product ignores it, and closes the socket with 1008 after too many. */
  receive(text: string): void;
  closed(): void;
}

/** The running product, after the database was opened. */
interface Opened {
  readonly router: ProductRouter;
  readonly parts: ProductParts;
  readonly quotes: Quotes | null;
}

/** The close code for a message that breaks a rule of the server (RFC 6455 §7.4.1). */
const CLOSE_POLICY = 1008;
const [{ points, seconds }] = SOCKET_BUDGETS.productMessage.limits;
const MESSAGES = { burst: points, perSecond: points / seconds };

const ONLINE_PATH = /^\/ws\/online\/([^/]+)$/;
/** Makes a document on its first request only: it never changes, and takes tens of milliseconds. */
function once(make: () => unknown): () => unknown {
  let made: unknown;
  return () => (made ??= make());
}

/** The documents of both APIs. */
const OPEN_API: ReadonlyMap<string, () => unknown> = new Map([
  ['/openapi.json', once(openApiDocument)],
  ['/openapi-calling.json', once(callingDocument)],
]);
const EVENTS_PATH = '/ws/events';
const MEDIA_PATH = /^\/media\/([\w-]+)(\/small)?$/;
const PORTRAIT_PATH = /^\/portraits\/([^/]+)\.svg$/;

/** The product server: accounts, people and all features beside calling. It opens no network sockets itself. */
export class Product {
  readonly #options: ProductOptions;
  readonly #presence: PresenceBoard;
  readonly #events: EventHub;
  readonly #sockets: OpenSockets;
  readonly #callers: Callers;
  readonly #heartbeats: Heartbeats;
  readonly #lifetime: Lifetime;
  readonly #onUnstopped = (error: unknown): void =>
    this.#options.log.error('a part of the product did not stop', { error });
  /** How the callees of live calls without a device were notified, by the id of the call. */
  readonly #rung = new Map<string, Notified>();
  #opening: Promise<Opened> | undefined;

  constructor(options: ProductOptions) {
    this.#options = options;
    const { clock, ids, link } = options;
    this.#lifetime = new Lifetime(this.#onUnstopped);
    this.#events = link ? this.#lifetime.add(new SharedEventHub({ ...options, link })) : new MemoryEventHub(clock, ids);
    this.#sockets = this.#lifetime.add(new OpenSockets(link));
    const portraitUrl = (uId: string) => this.portraitUrl(uId);
    this.#callers = this.#lifetime.add(new Callers({ ...options, portraitUrl }));
    this.#heartbeats = this.#lifetime.add(new Heartbeats(clock));
    this.#presence = this.#lifetime.add(new PresenceBoard(clock, options.calling, link));
    const unsubscribe = options.calling.subscribe((event) => {
      if (event.kind === 'unreached') void this.#ring(event);
      if (event.kind === 'ended') this.#rung.delete(event.callId);
      if (event.kind === 'invited') void this.#invite(event.inviteeId, event.inviter, event.roomId);
    });
    this.#lifetime.add({ dispose: unsubscribe });
  }

  /** Opens the database and adds the people, once. Returns the parts of the product. */
  async opened(): Promise<ProductParts> {
    return (await this.#run()).parts;
  }

  /** Decides about a request before its body is read. Returns what it may send, or its refusal. */
  async admit(head: RequestHead): Promise<Admission | HttpResponse> {
    try {
      const served = servedBy(head);
      if (served === null) return await (await this.#run()).router.admit(head);
      const budget = SERVED_BUDGETS[served];
      await refuseTooMany(this.#options.rateLimits, limitsBy(served, budget, 'address'), head.address);
      return { maxBytes: budget.maxBytes, mediaTypes: [JSON_TYPE] };
    } catch (error) {
      return refusalOf(error);
    }
  }

  /**
   * Answers a request that was admitted. A refusal is `{ code, message, field? }`. Rejects only on an error of the
   * server.
   */
  async http(request: HttpRequest): Promise<HttpResponse> {
    try {
      const document = request.method === 'GET' ? OPEN_API.get(request.path) : undefined;
      if (document) return { status: 200, body: document() };
      const portrait = PORTRAIT_PATH.exec(request.path);
      const { router, parts } = await this.#run();
      if (portrait) {
        const body = await drawPortrait({ ...this.#options, ...parts }, decoded(portrait[1] ?? ''), request.address);
        return { status: 200, body, mediaType: 'image/svg+xml; charset=utf-8' };
      }
      const file = request.method === 'GET' ? MEDIA_PATH.exec(request.path) : null;
      if (file) return await this.#file(file[1] ?? '', file[2] === undefined ? 'full' : 'small', request);
      return { status: 200, body: await router.answer(request) };
    } catch (error) {
      return refusalOf(error);
    }
  }

  /**
   * Opens a socket of the product: `/ws/online/{u_id}`, which makes the user online, or `/ws/events`, which sends
   * events. The bearer token is the websocket's subprotocol (D17). A heartbeat is sent every `HEARTBEAT_MS`. The socket
   * is closed with 4401 when its session ends by a sign-out, a new password, a closed account or a suspension.
   *
   * @param after - the last event that the page knows, see `eventsOpened`. Null for a page that knows none.
   * @returns the socket, or a refusal: 404 for another path, 401 without a valid token, 403 for the token of another
   * user, 429 when the user has too many open.
   */
  async socket(path: string, token: string, after: string | null, link: Link): Promise<ProductSocket | SocketRefusal> {
    const online = ONLINE_PATH.exec(path);
    if (!online && path !== EVENTS_PATH) return { status: 404, code: 404, message: 'No socket has this path.' };
    const { parts } = await this.#run();
    const me = await userOf(parts, token);
    if (!me) return { status: 401, code: 401, message: 'Sign in first.' };
    const { uId } = me;
    if (online && online[1] !== encodeURIComponent(uId)) {
      return { status: 403, code: 403, message: 'The token belongs to another user.' };
    }
    const [{ most }] = SOCKET_BUDGETS.productMessage.keeps;
    if (this.#presence.socketsOf(uId) + this.#events.pagesOf(uId) >= most) {
      return { status: 429, code: 429, message: `A user may have at most ${most} open sockets.` };
    }
    const messages = new TokenBucket(MESSAGES, () => this.#options.clock.now());
    const forget = this.#sockets.add(uId, token, () => link.close(CLOSE_SESSION_OVER, 'the session is over'));
    const leave = online
      ? this.#presence.open(uId)
      : this.#events.subscribe(uId, after, (message) => link.send(JSON.stringify(message)));
    const stopHeartbeat = this.#heartbeats.start(link);
    return {
      receive() {
        if (!messages.take()) link.close(CLOSE_POLICY, 'too many messages');
      },
      closed() {
        stopHeartbeat();
        forget();
        leave();
      },
    };
  }

  /** Returns whether a page of this user is open. */
  isHere(uId: string): boolean {
    return this.#presence.isOpen(uId);
  }

  /**
   * Returns whether the calling service accepts this token for this user. Null is a client without a token. Only the
   * people of the demo need none, and only in demo mode. An account that a user registered needs its token there too.
   */
  async mayLogIn(userId: string, accessToken: string | null): Promise<boolean> {
    const { guestToken } = this.#options;
    if (guestToken !== undefined && accessToken === guestToken) return true;
    if (accessToken === null && !this.#options.isDemo) return false;
    const { parts } = await this.#run();
    const account = await parts.accounts.find(userId);
    if (!account || account.isSuspended) return false;
    await this.#addUserHere(userId);
    return accessToken === null ? account.isDemo : parts.signIns.mayCall(userId, accessToken);
  }

  /**
   * Opens a session without a proof, and returns its token of the calling service. It is for the developer who started
   * the server. No request calls it.
   *
   * @throws Error when there is no such user.
   */
  async accessTokenOf(userId: string): Promise<string> {
    const { parts } = await this.#run();
    const account = await parts.accounts.find(userId);
    if (!account) throw new Error(`No user has the id ${userId}.`);
    return (await createSignIn(parts)(account, null)).calling_access_token;
  }

  /** Notifies a user: in the app when it is open, else on their devices. Never rejects. */
  async notify(uId: string, payload: PushPayload): Promise<void> {
    await this.#notified(uId, payload);
  }

  /** Returns how the callee of a live call was notified. Null while a device rings, and before the notification. */
  notifiedOf(callId: string): Notified | null {
    return this.#rung.get(callId) ?? null;
  }

  async #notified(uId: string, payload: PushPayload): Promise<Notified | null> {
    try {
      const { parts } = await this.#run();
      return await parts.devices.notify(uId, payload);
    } catch (error) {
      this.#options.log.error('an event was not delivered to a user', { error });
      return null;
    }
  }

  /**
   * Returns whether a call may be dialled. Both users need an account, are not suspended, not blocked, and can pay it.
   */
  async mayDial(dial: DialQuestion): Promise<boolean> {
    const { parts, quotes } = await this.#run();
    return quotes ? quotes.mayDial(dial) : mayMeet(parts.database, dial.caller, dial.callee);
  }

  /** Returns whether a user may be invited into a room. Both need an account, are not suspended, and not blocked. */
  async mayInvite({ inviter, invitee }: InvitationQuestion): Promise<boolean> {
    const { parts } = await this.#run();
    return mayMeet(parts.database, inviter, invitee);
  }

  /**
   * Finds a user for the calling service: the current name and picture. Undefined without an account, or for a suspended
   * one.
   */
  async findUser(userId: string): Promise<ExchangeUser | undefined> {
    const { accounts, people } = (await this.#run()).parts;
    const account = await accounts.find(userId);
    if (!account || account.isSuspended) return undefined;
    const card = (await people.cards([userId])).get(userId);
    return card && { user_id: userId, nickname: card.nickname, profile_url: card.profile_url };
  }

  /** Returns the address of a user's drawn portrait. */
  portraitUrl(uId: string): string {
    return joined(`${this.#options.apiUrl}/portraits/${encodeURIComponent(uId)}.svg`);
  }

  /** Prepares the stop of this node of a cluster: its users may reconnect at another one, and stay online meanwhile. */
  drain(): void {
    this.#presence.drain();
  }

  /** Resolves when no background work is in progress. */
  async settled(): Promise<void> {
    await this.#lifetime.settled();
    // The work of the other parts may have published events.
    await this.#events.settled?.();
  }

  /** Stops the product, also what opens later. Never rejects. */
  dispose(): Promise<void> {
    return this.#lifetime.dispose();
  }

  /** Notifies a user of a call or an invitation that reached none of the devices. Never rejects. */
  async #ring({ callId, calleeId, caller, isVideoCall }: UnreachedEvent): Promise<void> {
    const { user_id, nickname, profile_url } = caller;
    const notified = await this.#notified(calleeId, {
      type: isVideoCall ? 'VIDEO_CALL' : 'CALL',
      name: nickname || user_id,
      gift_name: '',
      coin: '',
      icon: profile_url,
    });
    const isLive = this.#options.calling.liveCalls.some((call) => call.callId === callId);
    if (notified && isLive) this.#rung.set(callId, notified);
  }

  #invite(uId: string, { user_id, nickname, profile_url }: UserPayload, room: string): Promise<void> {
    return this.notify(uId, {
      type: 'ROOM',
      name: nickname || user_id,
      gift_name: '',
      coin: '',
      icon: profile_url,
      room,
    });
  }

  /** Adds a user to the calling service of this node. The user may have registered at another node. */
  async #addUserHere(userId: string): Promise<void> {
    const { calling, link } = this.#options;
    const user = link && (await this.findUser(userId));
    if (user) calling.addUser(user);
  }

  #run(): Promise<Opened> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      // The next request tries again.
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Opened> {
    const { calling } = this.#options;
    const onSignedOut = (ended: SignedOut) => {
      this.#sockets.end(ended);
      calling.signOut(ended.uId, ended.token === null ? undefined : callingTokenOf(ended.token));
    };
    const parts = await makeParts(this.#options, {
      events: this.#events,
      presence: this.#presence,
      callers: this.#callers,
      onSignedOut,
      onClosed: (uId) => {
        this.#callers.forget(uId);
        this.#sockets.end({ uId, token: null });
        calling.removeUser(uId);
      },
      notify: (uId, payload) => this.notify(uId, payload),
      portraitUrl: (uId) => this.portraitUrl(uId),
    });
    const areas = new Lifetime(this.#onUnstopped);
    const { handlers, quotes } = await openAreas(parts, {
      options: this.#options,
      sockets: this.#sockets,
      onSignedOut,
      notify: (uId, payload) => this.notify(uId, payload),
      lifetime: areas,
    }).catch(async (error: unknown) => {
      await areas.dispose();
      throw error;
    });
    this.#lifetime.add(areas);
    return { parts, quotes, router: new ProductRouter(handlers, (token) => userOf(parts, token), parts) };
  }

  async #file(mediaId: string, size: MediaSize, { headers, query }: HttpRequest): Promise<HttpResponse> {
    const { parts } = await this.#run();
    const me = await userOf(parts, bearerOf(headers));
    const request = { mediaId, size, query, uId: me?.uId ?? null };
    const content = await parts.media.content(request);
    const { keptFor } = content;
    const cached = { 'cache-control': keptFor === 0 ? 'no-store' : `private, max-age=${keptFor}, immutable` };
    return fileResponse(content, headers['range'], cached);
  }
}

/** Returns which request beside the contract this is. Null for a request of the contract. */
function servedBy({ method, path }: RequestHead): keyof typeof SERVED_BUDGETS | null {
  if (PORTRAIT_PATH.test(path)) return 'portrait';
  if (method !== 'GET') return null;
  if (OPEN_API.has(path)) return 'openApi';
  return MEDIA_PATH.test(path) ? 'media' : null;
}

/** Converts a refusal into a response. @throws any other error. */
function refusalOf(error: unknown): HttpResponse {
  if (!(error instanceof HttpRefusal)) throw error;
  return error.response;
}

async function userOf({ signIns, accounts }: ProductParts, token: string): Promise<Me | undefined> {
  const uId = await signIns.find(token);
  const account = uId === undefined ? undefined : await accounts.find(uId);
  return account && !account.isSuspended ? { uId: account.uId, genderType: account.genderType, token } : undefined;
}
