import type { ReplyFrame } from '../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import type { SummaryBody } from '../../src/protocol/http.ts';
import type { Admission, RequestHead } from '../budgets/admission.ts';
import { IdempotencyCache } from './delivery/idempotency-cache.ts';
import { TokenBuckets } from './limits/token-buckets.ts';
import { isBack, isHeld, isOf, legsOf, liveLegs, type EndRecord } from './calls/call.ts';
import type { BegunCall, CallEvent, DialQuestion } from './calls/call-event.ts';
import { Calls } from './calls/calls.ts';
import { changeRelay } from './calls/change-relay.ts';
import { Bridges } from './directory/bridges.ts';
import { ClientLogs, type KeptDebugLog, type KeptStatsLog } from './logging/client-logs.ts';
import { openConnection, type ChannelIdentity, type Connection, type Refusal } from './delivery/connection.ts';
import type { Core, UnreachedCall } from './core.ts';
import { Credentials } from './directory/credentials.ts';
import { Devices } from './directory/devices.ts';
import { dropDevice } from './directory/drop-device.ts';
import { endCall } from './calls/end-call.ts';
import { admitHttp, answerHttp } from './http/routes.ts';
import { RequestBudgets } from './http/request-budgets.ts';
import type { HttpRequest, HttpResponse } from './http/request.ts';
import { WriteQueue } from './delivery/write-queue.ts';
import { LiveCalls } from './calls/live-calls.ts';
import { stopPresuming } from './calls/media-begins.ts';
import { Log } from './logging/log.ts';
import type { MediaPath } from './calls/media-path.ts';
import { Outbox } from './delivery/outbox.ts';
import { OWN_ENDINGS } from './calls/outcomes.ts';
import type { Clock, HmacSha1, Ids, Link, LogSink, PostWebhook, Sha256 } from './ports.ts';
import { restoreCall } from './calls/restore-call.ts';
import { revokeBridges } from './directory/revoke-bridges.ts';
import { Sessions, type DeviceId, type SignedIn } from './directory/sessions.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings, type RelaySettings } from './settings.ts';
import { ShortLivedTokens } from './directory/short-lived-tokens.ts';
import { setUploadLevel } from './logging/upload-levels.ts';
import type { Store } from './store.ts';
import { Users, type ExchangeUser } from './directory/users.ts';
import type { LogLevel } from '../../src/protocol/enumerations.ts';

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly users: Iterable<ExchangeUser>;
  readonly settings?: Partial<ExchangeSettings>;
  /** Keeps what outlives a call: history, custom items, push tokens, summaries. */
  readonly store: Store;
  /**
   * The name of this exchange, the same each time it starts. With one, calls that go on are kept in the store: {@link
   * Exchange.open} goes on with them. Without one they end with the exchange.
   */
  readonly name?: string;
  /** Receives the masked log. Default: none. */
  readonly log?: LogSink;
  /** With it, and a name, a device may act on its live call right after a restart, before its client has signed in again. */
  readonly sha256?: Sha256;
  /** Needed when there is a relay: its credentials are made with it. */
  readonly hmacSha1?: HmacSha1;
  /** Whether this access token lets this user log in; null where none was given. Default: everybody may. */
  readonly mayLogIn?: (userId: string, accessToken: string | null) => boolean | Promise<boolean>;
  /** Asked before a call is dialled; where it may not be, the dial is refused with 1400105. Default: every call may be. */
  readonly mayDial?: (dial: DialQuestion) => Promise<boolean>;
  /** Posts the webhooks that dials name. Default: none. */
  readonly postWebhook?: PostWebhook;
  /** Leads the media of each call, made when it is dialled. Default: media goes directly. */
  readonly mediaPath?: (callId: string) => MediaPath;
  /** Runs for each call to a user without a connected device. */
  readonly onUnreached?: (call: UnreachedCall) => void;
  /** Told the code of each command that is refused or fails. */
  readonly onRefused?: (code: number) => void;
}

/** A user's presence, as others may see it. */
export type UserPresence = 'online' | 'in_call' | 'offline';

/** RFC 6455 and the registry: the service restarts. */
const CLOSE_RESTART = 1012;

/** The exchange: connected users, their calls, and how each call proceeds and ends. It has no sockets itself. */
export class Exchange {
  readonly #core: Core;
  readonly #listeners = new Set<(userId: string) => void>();
  readonly #callListeners = new Set<(event: CallEvent) => void>();

  constructor(options: ExchangeOptions) {
    const { clock, ids } = options;
    const settings = { ...DEFAULT_SETTINGS, ...options.settings };
    const log = new Log(options.log ?? (() => undefined), clock);
    const now = () => clock.monotonic();
    const writeQueue = new WriteQueue(log, clock);
    const store = options.store;
    const { name } = options;
    const sessions = new Sessions(clock, ids, settings.sessionMs, settings.sessionsPerUser);
    const bridges = new Bridges(clock, options.sha256, settings.aliveSilenceMs);
    const sessionOf = (device: DeviceId) => bridges.hashOf(sessions.tokenOf(device));
    const live =
      name === undefined ? null : new LiveCalls({ store, name, writeQueue, clock, log, settings, sessionOf });
    const presenceChanged = (userId: string) => {
      for (const listener of [...this.#listeners]) {
        try {
          listener(userId);
        } catch (error) {
          log.error('a listener to presence failed', { user: userId, error });
        }
      }
    };
    this.#core = {
      clock,
      ids,
      settings,
      log,
      users: new Users(options.users),
      sessions,
      bridges,
      devices: new Devices(presenceChanged),
      calls: new Calls(clock, settings),
      credentials: new Credentials(clock, settings.relay, settings.relayCredentialMs, options.hmacSha1),
      shortLivedTokens: new ShortLivedTokens(clock, ids, settings.shortLivedTokenMs),
      store,
      writeQueue,
      live,
      outbox: new Outbox(writeQueue, clock, live !== null),
      status: { isOpen: live === null, isDraining: false },
      answers: new IdempotencyCache<ReplyFrame>(settings),
      clientLogs: new ClientLogs(settings),
      uploadLevels: new Map(),
      messages: new TokenBuckets(settings.messages, now),
      accountMessages: new TokenBuckets(settings.accountMessages, now),
      sent: new TokenBuckets(settings.sent, now),
      dials: new TokenBuckets(settings.dials, now),
      logins: new TokenBuckets(settings.logins, now),
      loginFailures: new TokenBuckets(settings.loginFailures, now),
      requests: new RequestBudgets(now, settings.requestFactor),
      mayLogIn: options.mayLogIn ?? (() => true),
      mayDial: options.mayDial ?? null,
      asks: new Map(),
      callListeners: this.#callListeners,
      post: options.postWebhook ?? null,
      openMediaPath: options.mediaPath ?? null,
      unreached: options.onUnreached ?? (() => undefined),
      refused: options.onRefused ?? (() => undefined),
      presenceChanged,
    };
  }

  /**
   * Goes on with the calls that were kept under its name, and lets devices in. An exchange without a name is open from the
   * beginning. Users who have ever authenticated can be called again. Rejects where the store fails.
   */
  async open(): Promise<void> {
    const { live, log, store, status, users } = this.#core;
    for (const userId of await store.callers()) users.markAuthenticated(userId);
    if (!live || status.isOpen) return;
    for (const kept of await live.take()) {
      try {
        restoreCall(this.#core, kept);
      } catch (error) {
        // Another version wrote it: its sides find out that there is no such call.
        log.error('a call that was kept cannot be read', { call: kept.callId, error });
        await store.forgetLiveCalls([kept.callId]);
      }
    }
    status.isOpen = true;
  }

  /** Takes a device onto the realtime channel, or says why not (401, 429, 503). Nothing is sent before this has returned. */
  connect(who: ChannelIdentity, link: Link): Connection | Refusal {
    return openConnection(this.#core, who, link);
  }

  /** Decides about an HTTP request before its body is read: how large that may be, or why the request is refused. */
  admit(head: RequestHead): Admission | HttpResponse {
    return admitHttp(this.#core, head);
  }

  /** Answers an HTTP request of the calling service (§7). Never rejects: a refusal is `{ code, message }` with its status. */
  http(request: HttpRequest): Promise<HttpResponse> {
    return answerHttp(this.#core, request);
  }

  /** Adds a user, or replaces what is known of one. */
  addUser(user: ExchangeUser): void {
    this.#core.users.add(user);
  }

  /** Removes a user. Ends the calls and sessions of the user, and closes the sockets. */
  removeUser(userId: string): void {
    const { calls, users, writeQueue, store } = this.#core;
    for (const call of calls.liveWith(userId)) endCall(this.#core, call, OWN_ENDINGS.stopped, null);
    this.signOut(userId);
    users.remove(userId);
    writeQueue.keep('that a user is gone', () => store.forgetCaller(userId));
  }

  /**
   * Ends the sessions of a user that were opened with this access token, or all of them: the calls of their devices end,
   * and their sockets are closed with 4401.
   */
  signOut(userId: string, accessToken?: string): void {
    const { sessions, devices } = this.#core;
    revokeBridges(this.#core, userId);
    const ended = sessions.revoke(userId, accessToken).map(({ clientId }) => clientId);
    // A socket may have outlived its session.
    const connected = devices.clientsOf(userId, accessToken);
    for (const clientId of new Set([...ended, ...connected])) dropDevice(this.#core, { userId, clientId });
  }

  /** Who is signed in by access tokens, and by which: with a session, or with a device that came with one. */
  signedIn(): SignedIn[] {
    const { sessions, devices } = this.#core;
    const all = [...sessions.signedIn(), ...devices.signedIn()];
    return [...new Map(all.map((one) => [JSON.stringify([one.userId, one.accessToken]), one])).values()];
  }

  /** Ends all sessions of a user. Their sockets stay open; their next command is refused with 1800303. */
  revokeSessions(userId: string): void {
    revokeBridges(this.#core, userId);
    this.#core.sessions.revoke(userId);
  }

  /**
   * Gives the legs that understand it (capability turn_changed) a new relay credential.
   *
   * @param callId - the call; all live calls when absent.
   * @param relay - hands out credentials for this relay from now on; the same relay as before when absent.
   * @throws CallError 1400102 when the call is not there or has ended.
   */
  changeTurn(callId?: string, relay?: RelaySettings): void {
    const { calls, credentials } = this.#core;
    const changed = calls.live.filter(({ id }) => callId === undefined || id === callId);
    if (callId !== undefined && changed.length === 0) throw new CallError(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
    if (relay) credentials.use(relay);
    for (const call of changed) changeRelay(this.#core, call);
  }

  /** Loses every call without a word, as a crash would: the next command about one is answered with 1400102 (D12). */
  forgetCalls(): void {
    this.#core.live?.forget();
    this.#letGo();
  }

  /** Stops the timers of every call, and knows none any more. */
  #letGo(): void {
    const { calls, clock } = this.#core;
    for (const call of calls.live) {
      if (call.state.name === 'ringing' || call.state.name === 'accepted') clock.clearTimeout(call.state.limit);
      stopPresuming(this.#core, call);
      if (call.relayRenewal) clock.clearTimeout(call.relayRenewal);
      for (const leg of liveLegs(call)) if (leg.watch) clock.clearTimeout(leg.watch);
      call.path?.dispose();
    }
    calls.clear();
  }

  /** What the user's presence is: in a call, reachable on some device, or neither. */
  presenceOf(userId: string): UserPresence {
    if (this.#core.calls.isInCall(userId)) return 'in_call';
    return this.#core.devices.isConnected(userId) ? 'online' : 'offline';
  }

  /** Calls the listener when the presence of a user may have changed. Returns the function that removes it. */
  onPresence(listener: (userId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listener what happens to calls, at the very moment. Returns the undo. */
  onCall(listener: (event: CallEvent) => void): () => void {
    this.#callListeners.add(listener);
    return () => this.#callListeners.delete(listener);
  }

  /**
   * Ends a call whose media has begun, for both sides: as completed, or as timed out where only one of them says that it is
   * connected. Does nothing where the call is over.
   */
  endCall(callId: string): void {
    const call = this.#core.calls.get(callId);
    if (!call || call.begunAt === null) return;
    const isConnected = call.state.name === 'connected';
    endCall(this.#core, call, isConnected ? OWN_ENDINGS.byHost : OWN_ENDINGS.neverConnected, null);
  }

  /** The devices on the realtime channel. */
  get deviceCount(): number {
    return this.#core.devices.count;
  }

  /** The calls that go on. */
  get liveCalls(): readonly { readonly callId: string; readonly state: 'ringing' | 'accepted' | 'connected' }[] {
    return this.#core.calls.live.flatMap(({ id, state }) =>
      state.name === 'ended' ? [] : [{ callId: id, state: state.name }],
    );
  }

  /** The calls whose media has begun. */
  get begunCalls(): readonly BegunCall[] {
    return this.#core.calls.live.flatMap((call) => {
      const { id, begunAt, callerUser, calleeUser, isVideoCall } = call;
      if (begunAt === null) return [];
      const [caller, callee] = [callerUser.user_id, calleeUser.user_id];
      return [{ callId: id, caller, callee, isVideoCall, ...begunAt, isHeld: isHeld(call), isBack: isBack(call) }];
    });
  }

  /** How the calls ended that are still remembered, oldest first. */
  get records(): readonly EndRecord[] {
    return this.#core.calls.records;
  }

  /** The summaries that came for a call, the caller's first. */
  summariesOf(callId: string): SummaryBody[] {
    const call = this.#core.calls.get(callId);
    return call ? legsOf(call).flatMap(({ summary }) => summary ?? []) : [];
  }

  /** The statistics that came for a call, oldest first; of all calls only the newest are kept. */
  statsLogsOf(callId: string): readonly KeptStatsLog[] {
    return this.#core.clientLogs.statsOf(callId);
  }

  /** The lines of the logs of a user's clients that came, oldest first; of all users only the newest are kept. */
  debugLogsOf(userId: string): readonly KeptDebugLog[] {
    return this.#core.clientLogs.debugOf(userId);
  }

  /** Says from which level on a user's clients upload their log, now and whenever they connect. They begin with NONE. */
  setUploadLevel(userId: string, level: LogLevel): void {
    setUploadLevel(this.#core, userId, level);
  }

  /** Ends every call between two users, in both directions. */
  endCallsBetween(userId: string, other: string): void {
    for (const call of this.#core.calls.liveWith(userId)) {
      if (isOf(call, other)) endCall(this.#core, call, OWN_ENDINGS.stopped, null);
    }
  }

  /** Refuses later dials with ERR_SERVER_INTERNAL_ERROR (1400999). Live calls go on. */
  drain(): void {
    this.#core.status.isDraining = true;
  }

  /** Resolves when every pending write has reached the store or failed. Never rejects. */
  kept(): Promise<void> {
    return this.#core.writeQueue.settled();
  }

  /**
   * Stops: nothing is let in any more, timers end, and every socket is closed, after what is still to be written. Calls that
   * are kept go on without the exchange, until it is started again under its name; where they are not, they end.
   */
  close(): void {
    const { live, outbox, devices, status } = this.#core;
    if (live) {
      if (!status.isOpen) return;
      status.isOpen = false;
      live.leave();
      this.#letGo();
      outbox.send(() => devices.closeAll(CLOSE_RESTART, 'the exchange stops'));
      return;
    }
    for (const call of this.#core.calls.live) endCall(this.#core, call, OWN_ENDINGS.stopped, null);
    this.#core.devices.closeAll(CLOSE_RESTART, 'the exchange stops');
  }
}
