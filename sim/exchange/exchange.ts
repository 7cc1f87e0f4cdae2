import type { Clock, Timer } from '../../src/common/clock.ts';
import type { AnyCommandFrame, ReplyFrame } from '../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { HEADERS, type SummaryBody } from '../../src/protocol/http.ts';
import type { Admission, HttpRequest, HttpResponse, RequestHead } from '../http/request.ts';
import { IdempotencyCache } from './delivery/idempotency-cache.ts';
import { TokenBuckets, type RateLimiter } from './limits/token-buckets.ts';
import { legsOf, type EndRecord } from './calls/call.ts';
import { type BegunCall, begunCallOf } from './calls/call-event.ts';
import { CallRecords } from './calls/call-records.ts';
import { callSnapshot, type CallSnapshot } from './calls/snapshot.ts';
import { Calls } from './calls/calls.ts';
import { DirectCalls } from './calls/direct-calls.ts';
import { handleCommand } from './commands/commands.ts';
import { WaitingCommands } from './commands/waiting-commands.ts';
import { Bridges } from './directory/bridges.ts';
import { ClientLogs, type KeptDebugLog, type KeptStatsLog } from './logging/client-logs.ts';
import { openConnection, type ChannelIdentity, type Connection, type Refusal } from './delivery/connection.ts';
import type { Cluster, ClusterHost, LimitName, Order, RequestLimitName } from './cluster.ts';
import { clusterHost } from './cluster-host.ts';
import type { Core } from './core.ts';
import { Credentials } from './directory/credentials.ts';
import { type DeviceDirectory, Devices } from './directory/devices.ts';
import type { Participations } from './participations.ts';
import { setUploadLevel } from './logging/upload-levels.ts';
import type { CallPolicy } from './policy.ts';
import { endCall } from './calls/end-call.ts';
import { ExchangeEvents, type ExchangeListener } from './events.ts';
import { admitHttp, answerHttp } from './http/routes.ts';
import { RequestBudgets } from './http/request-budgets.ts';
import { WriteQueue } from './delivery/write-queue.ts';
import { LiveCalls, type LiveCallsOptions } from './calls/live-calls.ts';
import { Log } from './logging/log.ts';
import type { EndOfTurn, MediaPath, HmacSha1, Ids, Link, LogSink, PostWebhook, Sha256, UnpackSdp } from './ports.ts';
import type { RoomMediaEngine } from './rooms/room-media.ts';
import { roomSnapshot, type RoomSnapshot } from './rooms/room-snapshot.ts';
import { RoomParticipations } from './rooms/room-participations.ts';
import { Rooms } from './rooms/rooms.ts';
import { moveIdleDevices } from './delivery/move-idle.ts';
import { Journal, type JournalListener } from './delivery/journal.ts';
import { Outbox } from './delivery/outbox.ts';
import { LocalRouter, type Router } from './delivery/router.ts';
import { letGoOf } from './calls/let-go.ts';
import { carryOut } from './orders.ts';
import { OWN_ENDINGS } from './calls/outcomes.ts';
import { restoreCall } from './calls/restore-call.ts';
import { Sessions, type DeviceId, type SignedIn } from './directory/sessions.ts';
import { type Budget, DEFAULT_SETTINGS, type ExchangeSettings, type RelaySettings } from './settings.ts';
import { ShortLivedTokens } from './directory/short-lived-tokens.ts';
import type { Store } from './store.ts';
import { Users, type ExchangeUser } from './directory/users.ts';
import type { LogLevel } from '../../src/protocol/enumerations.ts';
import { unpackSdp } from '../../src/protocol/sdp-codec.ts';

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly users: Iterable<ExchangeUser>;
  readonly settings?: Partial<ExchangeSettings>;
  /** The store of data that outlives a call: history, custom items, push tokens, summaries. */
  readonly store: Store;
  /**
   * The name of this exchange, the same at each start. With a name, live calls are kept in the store, and {@link
   * Exchange.open} continues them. Without a name they end with the exchange.
   */
  readonly name?: string;
  /** The receiver of the log, which is masked. Default: none. */
  readonly log?: LogSink | null;
  /**
   * With it, and a name, a device may act on its live call right after a restart, before its client has logged in
   * again.
   */
  readonly sha256?: Sha256;
  /** The hash that makes relay credentials. Required with a relay. */
  readonly hmacSha1?: HmacSha1;
  /** The decisions about logins and dials. Default: the exchange permits all. */
  readonly policy?: CallPolicy;
  /** The sender of the webhooks that dials name. Default: none. */
  readonly postWebhook?: PostWebhook;
  /** The decompression of session descriptions. Default: the one of the library, in JavaScript. */
  readonly unpackSdp?: UnpackSdp;
  /** What a write to the store waits for, so that it has the changes of many messages. Default: nothing. */
  readonly endOfTurn?: EndOfTurn;
  /** Makes the media path of each call when it is dialled. Default: media flows directly. */
  readonly mediaPath?: (callId: string) => MediaPath;
  /** The media of rooms. Default: none, so endpoints are refused. */
  readonly roomMedia?: RoomMediaEngine;
  /** The other nodes of a cluster. Default: this exchange alone. */
  readonly cluster?: Cluster;
}

/** A user's presence, as others may see it. */
export type UserPresence = 'online' | 'in_call' | 'offline';

/** The refusal of a request whose session cannot be looked up at the moment. The client may retry. */
const UNREACHABLE: HttpResponse = {
  status: 503,
  body: { code: ErrorCode.ERR_REQUEST_FAILED, message: 'The server cannot look up sessions at the moment.' },
};

/** The service restarts (RFC 6455 and its registry). */
const CLOSE_RESTART = 1012;

/** The exchange: the connected devices, and the course and end of each call. It has no sockets itself. */
export class Exchange {
  readonly #core: Core;
  readonly #name: string;
  /** What moves idle devices to other nodes. Null until the exchange drains. */
  #moving: Timer | null = null;

  constructor(options: ExchangeOptions) {
    this.#name = options.name ?? '';
    const participations: Participations[] = [];
    this.#core = createCore(options, participations);
    participations.push(new DirectCalls(this.#core), new RoomParticipations(this.#core));
  }

  /**
   * Continues the calls that were kept under its name, and accepts devices. An exchange without a name is open from the
   * beginning. Users who have ever logged in can be called again. Rejects when the store fails.
   */
  async open(): Promise<void> {
    const { live, log, store, status, users } = this.#core;
    for (const userId of await store.callers()) users.markAuthenticated(userId);
    if (live && status.isOpen) return;
    if (!live) return this.#emptyRooms();
    for (const kept of await live.take()) {
      try {
        restoreCall(this.#core, kept);
      } catch (error) {
        // Another version wrote the call. Its sides get `ERR_CALL_DOES_NOT_EXIST`.
        log.error('a call that was kept cannot be read', { call: kept.callId, error });
        await store.forgetLiveCalls([kept.callId]);
      }
    }
    await this.#emptyRooms();
    await this.#core.cluster?.start?.(this.#host());
    status.isOpen = true;
  }

  /** Returns this exchange as its cluster uses it, and reports its presence to the cluster. */
  #host(): ClusterHost {
    const { events, cluster } = this.#core;
    events.subscribe((event) => {
      if (event.kind === 'presence' && !event.isElsewhere) cluster?.presenceChanged?.(event.userId);
      if (event.kind === 'let_go') cluster?.callGone?.(event.callId);
    });
    return clusterHost(this.#core);
  }

  /**
   * Fetches what other nodes know of the tokens of a request or a channel, so that this exchange accepts them. Null when
   * nothing is to be fetched. Call it before {@link connect}. Rejects when the other nodes' sessions cannot be reached.
   */
  prepare(tokens: { readonly session?: string; readonly shortLived?: string }): Promise<void> | null {
    const { sessions, shortLivedTokens } = this.#core;
    const fetched = [
      tokens.session === undefined ? null : (sessions.fetch?.(tokens.session) ?? null),
      tokens.shortLived === undefined ? null : (shortLivedTokens.fetch?.(tokens.shortLived) ?? null),
    ].filter((one) => one !== null);
    return fetched.length === 0 ? null : Promise.all(fetched).then(() => undefined);
  }

  /** Records that no user is in the rooms of the former exchange under this name, which has ended. */
  async #emptyRooms(): Promise<void> {
    const { rooms, store } = this.#core;
    await store.rooms.emptyAll(this.#name);
    // Without a name, users may have entered before the start.
    for (const room of rooms.live) if (room.members.size > 0) rooms.changed(room);
  }

  /**
   * Connects a device to the realtime channel, or returns the refusal (401, 429, 503). Sends nothing before it returns.
   */
  connect(who: ChannelIdentity, link: Link): Connection | Refusal {
    return openConnection(this.#core, who, link);
  }

  /** Decides about an HTTP request before its body is read: the largest body, or a refusal. */
  admit(head: RequestHead): Admission | HttpResponse | Promise<Admission | HttpResponse> {
    const fetching = this.#prepareFor(head);
    if (!fetching) return admitHttp(this.#core, head);
    return fetching.then(
      () => admitHttp(this.#core, head),
      () => UNREACHABLE,
    );
  }

  /**
   * Answers an HTTP request of the calling service (§7). Never rejects: a refusal has a status and `{ code, message }`.
   */
  http(request: HttpRequest): Promise<HttpResponse> {
    const fetching = this.#prepareFor(request);
    if (!fetching) return answerHttp(this.#core, request);
    return fetching.then(
      () => answerHttp(this.#core, request),
      () => UNREACHABLE,
    );
  }

  #prepareFor({ headers }: RequestHead): Promise<void> | null {
    const [session, shortLived] = [headers[HEADERS.sessionToken], headers[HEADERS.shortLivedToken]];
    return this.prepare({ ...(session ? { session } : {}), ...(shortLived ? { shortLived } : {}) });
  }

  /**
   * Runs a command about a call of this exchange, which another exchange of the cluster received and checked.
   *
   * Rejects with RequestConflict when the request id belonged to another command before. Rejects with NotOpen when the
   * exchange is starting or stopping.
   */
  async command(from: DeviceId, frame: AnyCommandFrame): Promise<ReplyFrame> {
    return await handleCommand(this.#core, from, frame);
  }

  /** Adds a user, or replaces a known one. */
  addUser(user: ExchangeUser): void {
    this.#core.users.add(user);
  }

  /** Removes a user: ends the user's calls and sessions, and closes the sockets. */
  removeUser(userId: string): void {
    const { writeQueue, roomQueue, store } = this.#core;
    this.#everywhere({ kind: 'remove user', userId });
    writeQueue.keep('the removal of a user', () => store.forgetCaller(userId));
    roomQueue.keep('the removal of a user from rooms', () => store.rooms.forgetUser(userId));
  }

  /**
   * Revokes the sessions of a user that this access token opened, or all. Ends the calls of their devices, and closes
   * their sockets with 4401.
   */
  signOut(userId: string, accessToken?: string): void {
    this.#everywhere({ kind: 'sign out', userId, access: this.#core.accessOf(accessToken ?? null) });
  }

  /** Does the same for the access token with this hash. */
  signOutAccess(userId: string, access: string): void {
    this.#everywhere({ kind: 'sign out', userId, access });
  }

  /**
   * Returns the users who are signed in here by access tokens, with the hashes of the tokens. A session counts, and a
   * device that connected with one.
   */
  signedIn(): SignedIn[] {
    const { sessions, channels } = this.#core;
    const all = [...sessions.signedIn(), ...channels.signedIn()];
    return [...new Map(all.map((one) => [JSON.stringify([one.userId, one.access]), one])).values()];
  }

  /**
   * Revokes all sessions of a user. Their sockets stay open. Their next command is refused with
   * `USER_NOT_AUTHENTICATED`.
   */
  revokeSessions(userId: string): void {
    this.#everywhere({ kind: 'revoke sessions', userId });
  }

  /**
   * Sends a new relay credential to the legs with the capability `turn_changed`.
   *
   * @param callId - the call. Default: all live calls.
   * @param relay - the relay of all credentials from now on. Default: the same relay as before.
   * @throws CallError `ERR_CALL_DOES_NOT_EXIST` when the call is not there or has ended.
   */
  changeTurn(callId?: string, relay?: RelaySettings): void {
    const { participations, credentials } = this.#core;
    if (callId !== undefined && !participations.some((one) => one.isLive(callId))) {
      throw new CallError(ErrorCode.ERR_CALL_DOES_NOT_EXIST);
    }
    if (relay) credentials.use(relay);
    for (const one of participations) one.changeRelay(callId);
  }

  /**
   * Drops every call without a signal, as a crash would. The next command about one is refused with
   * `ERR_CALL_DOES_NOT_EXIST` (D12).
   */
  forgetCalls(): void {
    this.#core.live?.forget();
    for (const one of this.#core.participations) one.letGo();
  }

  /** Returns the user's presence. */
  presenceOf(userId: string): UserPresence {
    if (this.#core.participations.some((one) => one.isBusy(userId))) return 'in_call';
    if (this.#core.cluster?.isBusyElsewhere?.(userId)) return 'in_call';
    return this.#core.devices.isConnected(userId) ? 'online' : 'offline';
  }

  /** The users that this exchange knows. */
  users(): Iterable<ExchangeUser> {
    return this.#core.users.all();
  }

  /** Returns the number of connected devices of a user. */
  devicesOf(userId: string): number {
    return this.#core.devices.clientsOf(userId).length;
  }

  /** Returns whether a user has ever logged in. */
  hasSignedIn(userId: string): boolean {
    return this.#core.users.hasAuthenticated(userId);
  }

  /** Calls the listener at each event, at the moment it happens. Returns the function that removes it. */
  subscribe(listener: ExchangeListener): () => void {
    return this.#core.events.subscribe(listener);
  }

  /**
   * Calls the listener with each frame between this exchange and its devices, by socket and by HTTP. Returns the
   * function that removes it.
   */
  onFrame(listener: JournalListener): () => void {
    return this.#core.journal.subscribe(listener);
  }

  /**
   * Ends a call with media for both sides. The result is completed, or timed out when only one side reported a
   * connection. Does nothing when the call is over.
   */
  endCall(callId: string): void {
    const call = this.#core.calls.get(callId);
    if (!call || call.begunAt === null) return;
    const isConnected = call.state.name === 'connected';
    endCall(this.#core, call, isConnected ? OWN_ENDINGS.byHost : OWN_ENDINGS.neverConnected, null);
  }

  /** The number of devices on the realtime channel. */
  get deviceCount(): number {
    return this.#core.channels.count;
  }

  /** The live calls. */
  get liveCalls(): readonly { readonly callId: string; readonly state: 'ringing' | 'accepted' | 'connected' }[] {
    return this.#core.calls.live.flatMap(({ id, state }) =>
      state.name === 'ended' ? [] : [{ callId: id, state: state.name }],
    );
  }

  /** The rooms with participants, each with their number. */
  get liveRooms(): readonly { readonly roomId: string; readonly participants: number }[] {
    return this.#core.rooms.live.flatMap(({ id, members }) =>
      members.size === 0 ? [] : [{ roomId: id, participants: members.size }],
    );
  }

  /** The rooms with participants or invitations, as they are now. */
  get roomSnapshots(): readonly RoomSnapshot[] {
    return this.#core.rooms.live
      .map(roomSnapshot)
      .filter(({ participants, invitations }) => participants.length + invitations > 0);
  }

  /** The live calls as they are now, with their legs. */
  get snapshots(): readonly CallSnapshot[] {
    return this.#core.calls.live.flatMap((call) => callSnapshot(this.#core, call) ?? []);
  }

  /** The calls whose media has begun. */
  get begunCalls(): readonly BegunCall[] {
    return this.#core.calls.live.flatMap((call) => begunCallOf(call) ?? []);
  }

  /** Returns whether a call is live here, and no other node has adopted it. Rejects when the other nodes or the database do not answer. */
  async ownsCall(callId: string): Promise<boolean> {
    const { calls, cluster } = this.#core;
    if (!calls.isLive(callId)) return false;
    return (await cluster?.ownsCall?.(callId)) ?? true;
  }

  /** The records of the ended calls that are still in memory, oldest first. */
  get records(): readonly EndRecord[] {
    return this.#core.calls.records;
  }

  /** Returns the summaries of a call, the caller's first. */
  summariesOf(callId: string): SummaryBody[] {
    const call = this.#core.calls.get(callId);
    return call ? legsOf(call).flatMap(({ summary }) => summary ?? []) : [];
  }

  /** Returns the kept statistics of a call, oldest first. The exchange keeps only the newest of all calls. */
  statsLogsOf(callId: string): readonly KeptStatsLog[] {
    return this.#core.clientLogs.statsOf(callId);
  }

  /** Returns the kept log lines of a user's clients, oldest first. The exchange keeps only the newest of all users. */
  debugLogsOf(userId: string): readonly KeptDebugLog[] {
    return this.#core.clientLogs.debugOf(userId);
  }

  /** Sets the lowest level of log lines that a user's clients upload, now and at each connect. Default: NONE. */
  setUploadLevel(userId: string, level: LogLevel): void {
    setUploadLevel(this.#core, userId, level);
  }

  /** Ends every call between two users in either direction. */
  endCallsBetween(userId: string, other: string): void {
    this.#everywhere({ kind: 'end calls', userId, other });
  }

  /** Carries out an order here and at the other nodes of a cluster. */
  #everywhere(order: Order): void {
    carryOut(this.#core, order);
    this.#core.cluster?.order?.(order);
  }

  /**
   * Refuses new dials with `ERR_SERVER_INTERNAL_ERROR`. Live calls continue. In a cluster, another node begins the calls
   * of the devices, and those without a call connect to other nodes within `ms` milliseconds.
   */
  drain(ms = 0): void {
    this.#core.status.isDraining = true;
    this.#core.cluster?.drain?.();
    if (this.#core.cluster) this.#moving ??= moveIdleDevices(this.#core, ms);
  }

  /** Resolves when all writes are in the store, or the store fails. Never rejects. */
  async kept(): Promise<void> {
    for (const queue of this.#core.writeQueues) await queue.settled();
  }

  /**
   * Stops the exchange: refuses everything, stops the timers, and closes every socket after the queued writes. Calls
   * that are kept continue after a start under the same name. Other calls end.
   */
  close(): void {
    this.#moving?.cancel();
    const { live, outbox, channels, status, participations, writeQueues } = this.#core;
    for (const queue of writeQueues) queue.stop();
    if (live) {
      if (!status.isOpen) return;
      status.isOpen = false;
      live.leave();
      for (const one of participations) one.letGo();
      outbox.send(() => channels.closeAll(CLOSE_RESTART, 'the exchange stops'));
      return;
    }
    for (const one of participations) one.endAll();
    channels.closeAll(CLOSE_RESTART, 'the exchange stops');
  }
}

/** Creates the parts of an exchange. `participations` gets its entries later, since they work with the parts. */
function createCore(options: ExchangeOptions, participations: readonly Participations[]): Core {
  const { clock, ids, cluster, store } = options;
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const log = new Log(options.log ?? null, clock);
  const directory = createDirectory(options, settings);
  const { sessions, bridges } = directory;
  const events = new ExchangeEvents(log);
  const delivery = createDelivery(options, {
    settings,
    log,
    events,
    sessionOf: (one: DeviceId) => bridges.hashOf(sessions.tokenOf(one)),
    onLost: (callId) => letGoOf(core, callId),
  });
  const core: Core = {
    ...directory,
    ...createLimits(settings, clock, cluster),
    ...delivery,
    clock,
    ids,
    settings,
    log,
    events,
    participations,
    store,
    calls: new Calls(clock, settings),
    rooms: new Rooms(store.rooms, delivery.roomQueue, options.name, cluster !== undefined),
    roomMedia: options.roomMedia ?? null,
    status: { isOpen: options.name === undefined, isDraining: false },
    answers: new IdempotencyCache<object>(settings, clock),
    roomAnswers: new IdempotencyCache<object>({ ...settings, answerChars: settings.roomAnswerChars }, clock),
    clientLogs: new ClientLogs(settings),
    uploadLevels: new Map(),
    policy: options.policy ?? {},
    cluster: cluster ?? null,
    ownerOf: (callId) => cluster?.ownerOf(callId) ?? null,
    newCallId: () => cluster?.callId?.(ids.uuid()) ?? ids.uuid(),
    accessOf: accessOf(options.sha256),
    asks: new Map(),
    waiting: new WaitingCommands(),
    post: options.postWebhook ?? null,
    unpackSdp: options.unpackSdp ?? unpackSdp,
    openMediaPath: options.mediaPath ?? null,
  };
  return core;
}

/** Returns the function that hashes access tokens. Without a hash function they stay as they are. */
function accessOf(sha256: Sha256 | undefined): Core['accessOf'] {
  function hashed(accessToken: string): string;
  function hashed(accessToken: string | null): string | null;
  function hashed(accessToken: string | null): string | null {
    return accessToken === null ? null : (sha256?.(accessToken) ?? accessToken);
  }
  return hashed;
}

/** Creates the directory: the users, their sessions, and the secrets that their devices have. */
function createDirectory(options: ExchangeOptions, settings: ExchangeSettings) {
  const { clock, ids, cluster } = options;
  const sessions = new Sessions(clock, ids, settings.sessionMs, settings.sessionsPerUser);
  const shortLivedTokens = new ShortLivedTokens(clock, ids, settings.shortLivedTokenMs);
  return {
    users: new Users(options.users),
    sessions: cluster?.sessions?.(sessions) ?? sessions,
    bridges: new Bridges(clock, options.sha256, settings.aliveSilenceMs),
    credentials: new Credentials(clock, settings.relay, settings.relayCredentialMs, options.hmacSha1),
    shortLivedTokens: cluster?.shortLivedTokens?.(shortLivedTokens) ?? shortLivedTokens,
  };
}

/** Creates the limits of what clients send. The exchanges of a cluster share them. */
function createLimits(settings: ExchangeSettings, clock: Clock, cluster: Cluster | undefined) {
  const now = () => clock.now();
  const limiterOf = (name: LimitName | RequestLimitName, budget: Budget): RateLimiter => {
    const buckets = new TokenBuckets(budget, now);
    return cluster?.rateLimiter?.(name, buckets, budget) ?? buckets;
  };
  const limiter = (limit: LimitName) => limiterOf(limit, settings[limit]);
  return {
    messages: limiter('messages'),
    accountMessages: limiter('accountMessages'),
    sent: limiter('sent'),
    dials: limiter('dials'),
    invitations: limiter('invitations'),
    logins: limiter('logins'),
    loginFailures: limiter('loginFailures'),
    requests: new RequestBudgets(limiterOf, settings.requestFactor),
  };
}

/** Creates the delivery: the channels of the devices, and the messages and writes on their way. */
function createDelivery(
  { clock, cluster, endOfTurn, name, store }: ExchangeOptions,
  {
    settings,
    log,
    events,
    ...asked
  }: Pick<Core, 'settings' | 'log' | 'events'> & Pick<LiveCallsOptions, 'sessionOf' | 'onLost'>,
) {
  const newQueue = () => new WriteQueue(log, clock, endOfTurn);
  const writeQueue = newQueue();
  const roomQueue = cluster ? newQueue() : writeQueue;
  const stateQueue = (store.liveCallPlace ?? 'database') === 'database' ? writeQueue : newQueue();
  const live =
    name === undefined ? null : new LiveCalls({ store, name, writeQueue: stateQueue, clock, log, settings, ...asked });
  const channels = new Devices((userId) => events.emit({ kind: 'presence', userId }));
  const journal = new Journal(clock, log);
  // The queue of live calls is last, since a saved record may cause a write of live calls.
  const writeQueues = [...new Set([writeQueue, roomQueue, stateQueue])];
  const outbox = new Outbox(writeQueues, clock, live !== null);
  const here = new LocalRouter(channels, outbox, journal);
  const devices: DeviceDirectory = cluster?.devices(channels) ?? channels;
  const router: Router = cluster?.router(here, (send) => outbox.send(send)) ?? here;
  const records = new CallRecords(store, writeQueue, log, (callIds) => live?.recorded(callIds));
  return { writeQueue, roomQueue, writeQueues, records, live, channels, journal, outbox, devices, router };
}
