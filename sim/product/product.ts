import { CLOSE_SESSION_OVER } from '../../src/protocol/close-codes.ts';
import type { HttpRequest } from '../exchange/http/request.ts';
import type { Link } from '../exchange/ports.ts';
import type { PushPayload } from '../../src/protocol/product/push.ts';
import { accountHandlers, demoHandlers } from './accounts/account-handlers.ts';
import { Owners } from './accounts/owners.ts';
import { OpenSockets } from './accounts/open-sockets.ts';
import { registrationHandlers } from './accounts/registration.ts';
import { securityHandlers } from './accounts/security-handlers.ts';
import { SessionReview } from './accounts/session-review.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { callingTokenOf, type SignedOut } from './accounts/sign-ins.ts';
import { CallNotes } from './chat/call-notes.ts';
import { chatHandlers } from './chat/chat-handlers.ts';
import type { DialQuestion } from '../exchange/call-event.ts';
import { Billing } from './billing/billing.ts';
import { CallBooks } from './billing/call-books.ts';
import { callHandlers } from './billing/call-handlers.ts';
import { Quotes } from './billing/quotes.ts';
import { EventHub } from './event-hub.ts';
import type { Handlers, Me } from './handlers.ts';
import { giftHandlers } from './gifts/gift-handlers.ts';
import { openApiDocument } from './open-api.ts';
import type { ProductParts } from './parts.ts';
import { peopleHandlers } from './people/people-handlers.ts';
import { byteRange } from './media/byte-range.ts';
import { mediaHandlers } from './media/media-handlers.ts';
import type { MediaSize } from './media/media.ts';
import { PresenceNews } from './people/presence-news.ts';
import { Watches } from './people/watches.ts';
import { PayoutAccounts } from './points/payout-accounts.ts';
import { simulatedPayoutDesk } from './points/payout-desk.ts';
import { pointHandlers } from './points/point-handlers.ts';
import { Redemptions } from './points/redemptions.ts';
import { PresenceBoard } from './presence.ts';
import { pushHandlers } from './push/push-handlers.ts';
import { profileHandlers } from './profiles/profile-handlers.ts';
import { safetyHandlers } from './safety/safety-handlers.ts';
import { Refusal } from './refusal.ts';
import { bearerOf, decoded, Router } from './router.ts';
import { Identities } from './verification/identities.ts';
import { simulatedReviewer } from './verification/reviewer.ts';
import { verificationHandlers } from './verification/verification-handlers.ts';
import { walletHandlers } from './wallet/wallet-handlers.ts';
import { makeParts } from './make-parts.ts';
import type { ProductOptions } from './product-options.ts';

/** What is sent back: JSON, or text or bytes of a media type of its own, with headers of its own. */
export interface ProductResponse {
  readonly status: number;
  readonly body: unknown;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
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

/** What stands once the database is open. */
interface Running {
  readonly router: Router;
  readonly parts: ProductParts;
  readonly identities: Identities;
  readonly billing: Billing | null;
  readonly quotes: Quotes | null;
  readonly redemptions: Redemptions;
  readonly callNotes: CallNotes | null;
  readonly watches: Watches;
  readonly review: SessionReview;
  readonly presenceNews: PresenceNews;
}

const ONLINE_PATH = /^\/ws\/online\/([^/]+)$/;
const OPEN_API_PATH = '/openapi.json';
const EVENTS_PATH = '/ws/events';
const MEDIA_PATH = /^\/media\/([\w-]+)(\/small)?$/;
const PORTRAIT_PATH = /^\/portraits\/([^/]+)\.svg$/;

/** The product server: accounts, people, and all they do beside calling. It has no sockets itself. */
export class Product {
  readonly #options: ProductOptions;
  readonly #presence: PresenceBoard;
  readonly #events: EventHub;
  readonly #sockets = new OpenSockets();
  #opening: Promise<Running> | undefined;
  #running: Running | undefined;

  constructor(options: ProductOptions) {
    this.#options = options;
    this.#events = new EventHub(options.clock, options.ids);
    this.#presence = new PresenceBoard(options.clock, options.calling);
  }

  /** Opens the database and brings in the people, once: what the product is then made of. */
  async opened(): Promise<ProductParts> {
    return (await this.#run()).parts;
  }

  /** Answers a request. A refusal is `{ code, message, field? }`; rejects only where the server fails. */
  async http(request: HttpRequest): Promise<ProductResponse> {
    try {
      if (request.path === OPEN_API_PATH && request.method === 'GET') return { status: 200, body: openApiDocument() };
      const portrait = PORTRAIT_PATH.exec(request.path);
      if (portrait) return await this.#portrait(decoded(portrait[1] ?? ''));
      const { router } = await this.#run();
      const file = request.method === 'GET' ? MEDIA_PATH.exec(request.path) : null;
      if (file) return await this.#file(file[1] ?? '', file[2] === undefined ? 'full' : 'small', request);
      return { status: 200, body: await router.answer(request) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  /**
   * Opens one of the product's sockets: `/ws/online/{u_id}`, by which somebody is online, or `/ws/events`, which tells them
   * what happens. The bearer token comes as the websocket's subprotocol (D17).
   *
   * @param after - the last event the page knows, see `eventsOpened`; null for one that knows none.
   *
   * Refused: 404 another path, 401 no valid token, 403 the token of somebody else. It is closed with 4401 when its session is
   * over: by signing out, by a new password, with the account, or by a suspension.
   */
  async socket(path: string, token: string, after: string | null, link: Link): Promise<ProductSocket | SocketRefusal> {
    const online = ONLINE_PATH.exec(path);
    if (!online && path !== EVENTS_PATH) return { status: 404, code: 404, message: 'There is no such path.' };
    const { parts } = await this.#run();
    const me = await whose(parts, token);
    if (!me) return { status: 401, code: 401, message: 'Sign in first.' };
    const { uId } = me;
    if (online && online[1] !== encodeURIComponent(uId)) {
      return { status: 403, code: 403, message: 'The token is not of this user.' };
    }
    const forget = this.#sockets.add(uId, token, () => link.close(CLOSE_SESSION_OVER, 'the session is over'));
    const leave = online
      ? this.#presence.open(uId)
      : this.#events.subscribe(uId, after, (frame) => link.send(JSON.stringify(frame)));
    return {
      closed() {
        forget();
        leave();
      },
    };
  }

  /** Whether a page of this user is open. */
  isHere(uId: string): boolean {
    return this.#presence.isOpen(uId);
  }

  /** Whether the calling service takes this user with this token; null where none was given. */
  async mayCall(userId: string, accessToken: string | null): Promise<boolean> {
    if (accessToken === null && !this.#options.isDemo) return false;
    const { parts } = await this.#run();
    if (!(await isHereToCall(parts, userId))) return false;
    return accessToken === null || parts.signIns.mayCall(userId, accessToken);
  }

  /** Tells a user of something: in the app where they have it open, else on their devices. Never rejects. */
  async notify(uId: string, payload: PushPayload): Promise<void> {
    try {
      const { parts } = await this.#run();
      await parts.devices.tell(uId, payload);
    } catch (error) {
      this.#options.log.error('somebody was not told of something', { error });
    }
  }

  /** Whether a call may be dialled: between two who have an account, are not suspended and not apart, and can pay it. */
  async mayDial(dial: DialQuestion): Promise<boolean> {
    const { parts, quotes } = await this.#run();
    for (const side of [dial.caller, dial.callee]) if (!(await isHereToCall(parts, side))) return false;
    if (await parts.blocks.isBlocked(dial.caller, dial.callee)) return false;
    return quotes === null || quotes.mayDial(dial);
  }

  /** The address of somebody's drawn portrait. */
  portraitUrl(uId: string): string {
    return `${this.#options.apiUrl}/portraits/${encodeURIComponent(uId)}.svg`;
  }

  /** Resolves when nothing is being done that nobody waits for. */
  async settled(): Promise<void> {
    await this.#running?.billing?.settled();
    await this.#running?.redemptions.settled();
    await this.#running?.callNotes?.settled();
    await this.#running?.watches.settled();
    await this.#running?.review.settled();
    await this.#running?.parts.letters.settled();
    await this.#running?.presenceNews.settled();
  }

  dispose(): void {
    this.#running?.identities.dispose();
    this.#running?.review.dispose();
    this.#running?.parts.letters.dispose();
    this.#running?.presenceNews.dispose();
    this.#running?.watches.dispose();
    this.#presence.dispose();
    this.#running?.billing?.dispose();
    this.#running?.redemptions.dispose();
    this.#running?.callNotes?.dispose();
  }

  #run(): Promise<Running> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<Running> {
    const onSignedOut = (ended: SignedOut) => {
      this.#sockets.end(ended);
      this.#options.onSignedOut?.(ended.uId, ended.token === null ? undefined : callingTokenOf(ended.token));
    };
    const parts = await makeParts(this.#options, {
      events: this.#events,
      presence: this.#presence,
      onSignedOut,
      onGone: (uId) => {
        this.#sockets.end({ uId, token: null });
        this.#options.onGone?.(uId);
      },
      notify: (uId, payload) => this.notify(uId, payload),
      portraitUrl: (uId) => this.portraitUrl(uId),
    });
    // Also what a server that died could not tell any more.
    parts.letters.deliver();
    const identities = new Identities(parts, this.#options.reviewer ?? simulatedReviewer);
    await identities.resume();
    const signIn = createSignIn(parts);
    const { billing: billed, calls } = this.#options;
    const billing = billed ? new Billing({ ...parts, books: new CallBooks(parts), calls: billed }) : null;
    await billing?.start();
    const quotes = billed ? new Quotes(parts) : null;
    const payoutAccounts = new PayoutAccounts(parts);
    const owners = new Owners(parts);
    const redemptions = new Redemptions(parts, payoutAccounts, simulatedPayoutDesk);
    await redemptions.resume();
    const callNotes = calls ? new CallNotes(parts, calls) : null;
    const watches = new Watches(parts, (uId, payload) => this.notify(uId, payload));
    const review = new SessionReview({
      ...parts,
      sockets: this.#sockets,
      onSignedOut,
      calling: {
        signedIn: () => this.#options.callingSessions?.() ?? [],
        signOut: ({ userId, accessToken }) => this.#options.onSignedOut?.(userId, accessToken),
      },
    });
    const handlers: Handlers = {
      ...accountHandlers(parts, signIn),
      ...registrationHandlers(parts, signIn),
      ...securityHandlers(parts, owners, review),
      ...verificationHandlers(parts, identities, owners),
      ...demoHandlers(parts),
      ...peopleHandlers(parts, watches),
      ...chatHandlers(parts),
      ...mediaHandlers(parts),
      ...pushHandlers(parts),
      ...profileHandlers(parts),
      ...safetyHandlers(parts),
      ...giftHandlers(parts),
      ...callHandlers(parts, quotes),
      ...walletHandlers(parts),
      ...pointHandlers(parts, owners, payoutAccounts, redemptions),
    };
    this.#running = {
      parts,
      billing,
      quotes,
      identities,
      redemptions,
      callNotes,
      watches,
      presenceNews: new PresenceNews(parts),
      review,
      router: new Router(handlers, (token) => whose(parts, token)),
    };
    return this.#running;
  }

  async #file(mediaId: string, size: MediaSize, { headers, query }: HttpRequest): Promise<ProductResponse> {
    const { parts } = await this.#run();
    const me = await whose(parts, bearerOf(headers));
    const asked = { mediaId, size, query, uId: me?.uId ?? null };
    const { bytes, mediaType, keptFor } = await parts.media.content(asked);
    const cached = { 'cache-control': keptFor === 0 ? 'no-store' : `private, max-age=${keptFor}, immutable` };
    const range = byteRange(headers['range'], bytes.length);
    const known = { mediaType, headers: { ...cached, 'accept-ranges': 'bytes' } };
    if (range === 'whole') return { status: 200, body: bytes, ...known };
    const of = range === null ? `*/${bytes.length}` : `${range.first}-${range.last}/${bytes.length}`;
    return {
      status: range === null ? 416 : 206,
      body: range === null ? new Uint8Array() : bytes.subarray(range.first, range.last + 1),
      mediaType,
      headers: { ...known.headers, 'content-range': `bytes ${of}` },
    };
  }

  async #portrait(uId: string): Promise<ProductResponse> {
    const { parts } = await this.#run();
    const account = await parts.accounts.find(uId);
    if (!account) throw new Refusal('not_found', 'There is nobody of this name.');
    const body = this.#options.portrait(uId, account.genderType);
    return { status: 200, body, mediaType: 'image/svg+xml; charset=utf-8' };
  }
}

/** Whether somebody may call and be called. */
async function isHereToCall({ accounts }: ProductParts, uId: string): Promise<boolean> {
  return (await accounts.find(uId))?.isSuspended === false;
}

async function whose({ signIns, accounts }: ProductParts, token: string): Promise<Me | undefined> {
  const uId = await signIns.find(token);
  const account = uId === undefined ? undefined : await accounts.find(uId);
  return account && !account.isSuspended ? { uId: account.uId, genderType: account.genderType, token } : undefined;
}
