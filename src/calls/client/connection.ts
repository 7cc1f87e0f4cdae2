import type { EventFrame } from '../../protocol/envelope.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { LoginAnswer } from '../../protocol/http.ts';
import { LIBRARY_VERSION, TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { PageState } from '../platform/page.ts';
import type { Platform } from '../platform/platform.ts';
import { CatchUp } from '../realtime/catch-up.ts';
import { Channel, type ChannelAddress } from '../realtime/channel.ts';
import { Signalling } from '../realtime/signalling.ts';
import { action, login, missedSignals } from '../rest/requests.ts';
import { RestClient } from '../rest/rest-client.ts';
import { Renewal } from './renewal.ts';

export interface ConnectionOptions {
  readonly appId: string;
  readonly apiHost: string;
  readonly websocketHost: string;
  readonly platform: Platform;
  readonly log: Logger;
  /** Takes an event of the exchange, from the channel or caught up. */
  readonly event: (frame: EventFrame) => void;
  readonly liveCalls: () => readonly string[];
  /** The exchange has no trace of a call that is thought live. */
  readonly unknownCall: (callId: string) => void;
  /** The exchange takes neither the session any more nor what the user signed in with. */
  readonly sessionLost: () => void;
}

/** What a user signs in with. */
export interface Credentials {
  readonly userId: string;
  readonly accessToken: string | undefined;
}

/** Everything between one application's client and its exchange: requests, the channel, and what keeps them going. */
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
  /** The login under way that was asked for last. */
  #attempt: Promise<LoginAnswer> | undefined;
  #sessionToken: string | undefined;
  /** Whether the host asked for the channel since the session began. */
  #wantsChannel = false;
  /** Since when the page is not seen, and whether its timers stood still. */
  #away: { readonly since: number; readonly frozen: boolean } | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { platform, log, apiHost } = options;
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
    const isUrgent = () => options.liveCalls().length > 0;
    this.#channel = new Channel({
      clock,
      random,
      newId,
      sockets,
      log,
      isUrgent,
      events: {
        event: options.event,
        lost: () => log.info('the realtime channel was lost'),
        restored: () => void this.catchUp.run(),
        refused: () => {
          // A request may have lost the session before.
          if (this.#credentials) void this.#renewal.begin();
        },
      },
    });
    this.signalling = new Signalling({
      channel: this.#channel,
      action: (frame) => action(this.rest, frame),
      newId,
      clock,
      log,
    });
    this.catchUp = new CatchUp({
      signalling: this.signalling,
      missedSignals: (ids) => missedSignals(this.rest, ids, log),
      liveCalls: options.liveCalls,
      sink: options.event,
      onUnknown: options.unknownCall,
      clock,
      random,
      log,
    });
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
        if (this.#sessionToken === undefined) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
        if (!this.#wantsChannel) return;
        const address = this.#address(this.#sessionToken);
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

  /** Is this the connection of that application to that exchange? */
  isFor(appId: string, apiHost: string, websocketHost: string): boolean {
    const known = this.#options;
    return known.appId === appId && known.apiHost === apiHost && known.websocketHost === websocketHost;
  }

  /**
   * Asks the exchange to sign a user in, once the attempt before has been answered: whichever came last would end the
   * session of the other. The session begins with {@link startSession}.
   *
   * @param isWanted whether to ask, once it is this attempt's turn.
   * @throws CallError 1800303 not wanted any more; what the exchange answers.
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
   * Keeps the session of a login for what follows, and how to get another one. A new login ended the session that the
   * channel was opened with, so a channel that is open is opened anew, and so is one that was refused.
   */
  startSession(sessionToken: string, credentials: Credentials): void {
    this.#renewal.cancel();
    this.#sessionToken = sessionToken;
    this.#credentials = credentials;
    this.#channel.readdress(this.#address(sessionToken));
    // The renewal that would have opened it again is cancelled.
    if (this.#wantsChannel) this.#connect().catch(() => undefined);
  }

  /**
   * Opens the channel. Where the exchange does not take the session any more, the user is signed in again first.
   *
   * @throws CallError 1800303 without a session; 1800202 when it cannot be opened.
   */
  async open(): Promise<void> {
    if (this.#sessionToken === undefined) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    this.#wantsChannel = true;
    await this.#renewal.now();
    try {
      // The renewal may have begun before the channel was wanted.
      await this.#connect();
    } catch (error) {
      // The refusal was told before, and the user may be on the way in again.
      const renewal = this.#renewal.now();
      if (!renewal) throw error;
      await renewal;
      // Another login may have taken its place.
      await this.#connect();
    }
  }

  /** Opens the channel with the present session, which may have ended meanwhile. Rejects as {@link open} does. */
  async #connect(): Promise<void> {
    if (this.#sessionToken === undefined) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    await this.#channel.connect(this.#address(this.#sessionToken));
  }

  /** A call begins: a channel that waits for its next retry is opened now, since the call's events come by it. */
  hasten(): void {
    if (this.#channel.state === 'waiting') this.#channel.reconnectNow();
    this.#signInNow();
  }

  /** Ends the session: nothing is retried or heard any more. */
  endSession(): void {
    this.#renewal.cancel();
    this.#sessionToken = undefined;
    this.#credentials = undefined;
    this.#wantsChannel = false;
    this.signalling.close();
    this.catchUp.close();
    this.#channel.close();
  }

  /** Ends the session and lets go of the page: another application takes over. */
  close(): void {
    this.endSession();
    for (const undo of this.#undo.splice(0)) undo();
  }

  /**
   * Reconnects when the page comes back, without waiting for the next retry. A page that slept (frozen, or hidden for as
   * long as an alive) replaces a channel that seems open, since its socket may have died during the sleep (§4).
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

  /** Does not wait for the next try of a sign-in. The renewal itself tells how it went. */
  #signInNow(): void {
    this.#renewal.now()?.catch(() => undefined);
  }

  /** A request was refused for its session. Resolves to whether there is another one now. */
  async #renewed(refusedToken: string): Promise<boolean> {
    if (this.#sessionToken === refusedToken && this.#credentials) await this.#renewal.beginNow();
    return this.#sessionToken !== undefined && this.#sessionToken !== refusedToken;
  }

  #lost(): void {
    this.#options.log.error('the exchange does not take the session any more', {
      error: new CallError(ErrorCode.USER_NOT_AUTHENTICATED),
    });
    this.#sessionToken = undefined;
    this.#credentials = undefined;
    this.#options.sessionLost();
  }

  #address(sessionToken: string): ChannelAddress {
    const { websocketHost } = this.#options;
    return { wsHost: websocketHost, sessionToken, clientId: this.#clientId, version: LIBRARY_VERSION };
  }
}
