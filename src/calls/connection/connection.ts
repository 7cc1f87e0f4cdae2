import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { LoginAnswer } from '../../protocol/http.ts';
import { LIBRARY_VERSION, TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { PageState } from '../platform/page.ts';
import type { Platform } from '../platform/platform.ts';
import { CatchUp } from '../realtime/catch-up.ts';
import { Channel, type ChannelAddress } from '../realtime/channel.ts';
import { dispatchSignal, recoveriesOf, type RoomSignals, type SignalConsumer } from '../realtime/dispatcher.ts';
import { Signalling } from '../realtime/signalling.ts';
import { action, login } from '../rest/requests.ts';
import { RestClient } from '../rest/rest-client.ts';
import { Renewal } from './renewal.ts';

export interface ConnectionOptions {
  readonly appId: string;
  readonly apiHost: string;
  readonly websocketHost: string;
  readonly platform: Platform;
  readonly log: Logger;
  /** Returns the parts of the client that get the events of the exchange. They may use the connection later. */
  readonly consumers: (connection: Connection) => readonly SignalConsumer[];
  /** The part of the client that gets the events of rooms. */
  readonly rooms: RoomSignals;
  /** Runs when the exchange refuses both the session and the user's credentials. */
  readonly sessionLost: () => void;
}

/** The credentials of a user. */
export interface Credentials {
  readonly userId: string;
  readonly accessToken: string | undefined;
}

/** The connection of one application's client to its exchange: requests, the channel, and their renewal. */
export class Connection {
  readonly rest: RestClient;
  readonly signalling: Signalling;
  readonly catchUp: CatchUp;
  readonly #channel: Channel;
  readonly #options: ConnectionOptions;
  readonly #clientId: string;
  readonly #undo: (() => void)[];
  readonly #renewal: Renewal;
  #credentials: Credentials | undefined;
  /** The last requested login that is under way. */
  #attempt: Promise<LoginAnswer> | undefined;
  #sessionToken: string | undefined;
  /** True when the host has opened the channel since the session began. */
  #wantsChannel = false;
  /** When the page was hidden, and whether its timers stopped. Null while it is visible. */
  #away: { readonly since: number; readonly frozen: boolean } | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { platform, log, apiHost, rooms } = options;
    const { clock, newId, random, sockets, fetch, page } = platform;
    this.#clientId = newId();
    this.rest = new RestClient({
      fetch,
      clock,
      log,
      apiHost,
      clientId: this.#clientId,
      session: () => this.#sessionToken,
      userId: () => this.#credentials?.userId,
      renewed: (refusedToken) => this.#renewed(refusedToken),
    });
    const consumers = options.consumers(this);
    const isUrgent = () => rooms.isLive() || recoveriesOf(consumers).some((recovery) => recovery.liveIds().length > 0);
    this.#channel = new Channel({
      clock,
      random,
      newId,
      sockets,
      log,
      isUrgent,
      events: {
        event: (frame) => dispatchSignal(consumers, frame),
        lost: () => log.info('the realtime channel was lost'),
        roomEvent: (frame) => rooms.receive(frame),
        restored: () => {
          void this.catchUp.run();
          rooms.restored();
        },
        refused: () => {
          // A request may have lost the session before.
          if (this.#credentials) void this.#renewal.begin();
        },
      },
    });
    this.signalling = new Signalling({
      channel: this.#channel,
      action: (frame, limitMs) => action(this.rest, frame, { limitMs }),
      newId,
      clock,
      log,
    });
    this.catchUp = new CatchUp({ consumers, clock, random, log });
    this.#renewal = new Renewal({
      clock,
      random,
      log,
      isUrgent,
      login: () => {
        const credentials = this.#credentials;
        if (!credentials) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
        return this.login(credentials, () => this.#credentials === credentials);
      },
      renewed: (token) => (this.#sessionToken = token),
      connect: async () => {
        const address = this.#address();
        if (!this.#wantsChannel) return;
        this.#channel.readdress(address);
        await this.#channel.connect(address);
      },
      lost: () => this.#lost(),
    });
    this.#undo = [
      page.onOnline(() => {
        this.#channel.reconnectNow();
        this.#signInNow();
      }),
      page.onChange((state) => this.#pageChanged(state)),
    ];
  }

  get appId(): string {
    return this.#options.appId;
  }

  /** Returns whether this connection is that of an application to an exchange. */
  isFor(appId: string, apiHost: string, websocketHost: string): boolean {
    const known = this.#options;
    return known.appId === appId && known.apiHost === apiHost && known.websocketHost === websocketHost;
  }

  /**
   * Signs a user in at the exchange after the former attempt. Of two concurrent logins, the later would end the session
   * of the other. The session begins with {@link startSession}.
   *
   * @param isWanted - whether to log in, once it is the turn of this attempt.
   * @throws CallError `USER_NOT_AUTHENTICATED` when it is not wanted any more, and the code of the exchange when it
   *   refuses.
   */
  login({ userId, accessToken }: Credentials, isWanted = () => true): Promise<LoginAnswer> {
    const ask = () => {
      if (!isWanted()) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
      return login(this.rest, { appId: this.#options.appId, userId, accessToken });
    };
    const attempt = this.#attempt ? this.#attempt.then(ask, ask) : ask();
    this.#attempt = attempt;
    const over = () => {
      if (this.#attempt === attempt) this.#attempt = undefined;
    };
    attempt.then(over, over);
    return attempt;
  }

  /**
   * Uses the session of a login from now on, with the credentials to renew it. A new login ended the session of the
   * channel. So a channel that is open, or was refused, is opened again.
   */
  startSession(sessionToken: string, credentials: Credentials): void {
    this.#renewal.cancel();
    this.#sessionToken = sessionToken;
    this.#credentials = credentials;
    this.#channel.readdress(this.#address());
    // The renewal that would have opened it again is cancelled.
    if (this.#wantsChannel) this.#connect().catch(() => undefined);
  }

  /**
   * Opens the channel. When the exchange refuses the session, the user is signed in again first.
   *
   * @throws CallError `USER_NOT_AUTHENTICATED` without a session. `ERR_WEBSOCKET_CONNECTION_FAILED` when the channel
   *   cannot be opened.
   */
  async open(): Promise<void> {
    // Without a session it throws, and the channel is not wanted.
    this.#address();
    this.#wantsChannel = true;
    await this.#renewal.now();
    try {
      // The renewal may have begun before the channel was wanted.
      await this.#connect();
    } catch (error) {
      // The host got the refusal before, and a renewal may be under way.
      const renewal = this.#renewal.now();
      if (!renewal) throw error;
      await renewal;
      // Another login may have replaced it.
      await this.#connect();
    }
  }

  /** Opens the channel with the present session, which may have ended meanwhile. Rejects as {@link open} does. */
  async #connect(): Promise<void> {
    await this.#channel.connect(this.#address());
  }

  /** Opens a waiting channel now, since a call begins and its events arrive on the channel. */
  hasten(): void {
    if (this.#channel.state === 'waiting') this.#channel.reconnectNow();
    this.#signInNow();
  }

  /** Replaces the channel, whose socket may have died while the page was hidden. */
  replaceChannel(): void {
    this.#channel.reconnectNow();
  }

  /** Ends the session: no request is retried, and no event is received. */
  endSession(): void {
    this.#renewal.cancel();
    this.#sessionToken = undefined;
    this.#credentials = undefined;
    this.#wantsChannel = false;
    this.signalling.close();
    this.catchUp.close();
    this.#channel.close();
  }

  /** Ends the session and stops watching the page: another application takes over. */
  close(): void {
    this.endSession();
    for (const undo of this.#undo.splice(0)) undo();
  }

  /**
   * Reconnects when the page comes back, without waiting for the next retry. A page that slept (frozen, or hidden for
   * as long as an alive) replaces a channel that seems open, since its socket may have died during the sleep (§4).
   */
  #pageChanged(state: PageState): void {
    const { clock } = this.#options.platform;
    if (state === 'hidden' || state === 'frozen') {
      this.#away ??= { since: clock.now(), frozen: false };
      if (state === 'frozen') this.#away = { ...this.#away, frozen: true };
      return;
    }
    const away = this.#away;
    this.#away = null;
    if (state === 'terminated' || !away) return;
    const slept = away.frozen || clock.now() - away.since >= TIMES.aliveIntervalMs;
    if (slept || this.#channel.state === 'waiting') this.#channel.reconnectNow();
    this.#signInNow();
  }

  /** Starts a waiting sign-in now. The renewal itself reports the result. */
  #signInNow(): void {
    this.#renewal.now()?.catch(() => undefined);
  }

  /** Renews the session after a refused request. Resolves to whether there is another session. */
  async #renewed(refusedToken: string): Promise<boolean> {
    if (this.#sessionToken === refusedToken && this.#credentials) await this.#renewal.beginNow();
    return this.#sessionToken !== undefined && this.#sessionToken !== refusedToken;
  }

  #lost(): void {
    this.#options.log.error('the exchange refused the session', {
      error: new CallError(ErrorCode.USER_NOT_AUTHENTICATED),
    });
    this.#sessionToken = undefined;
    this.#credentials = undefined;
    this.#options.sessionLost();
  }

  /**
   * Returns the address of the channel with the present session.
   * @throws CallError `USER_NOT_AUTHENTICATED` without a session.
   */
  #address(): ChannelAddress {
    const { websocketHost } = this.#options;
    const sessionToken = this.#sessionToken;
    if (sessionToken === undefined) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    return { wsHost: websocketHost, sessionToken, clientId: this.#clientId, version: LIBRARY_VERSION };
  }
}
