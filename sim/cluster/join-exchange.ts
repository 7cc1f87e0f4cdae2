import * as v from 'valibot';
import type { Clock, Timer } from '../../src/common/clock.ts';
import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { replyFrom, type AnyCommandFrame, type ReplyFrame } from '../../src/protocol/envelope.ts';
import { unendedCall } from '../../src/protocol/messages/replies.ts';
import { anyCommandFrom } from '../../src/protocol/room-envelope.ts';
import type {
  CallAnswer,
  CallRequest,
  Cluster,
  ClusterHost,
  CommandOwner,
  LimitName,
  Order,
  RequestLimitName,
} from '../exchange/cluster.ts';
import { AgingMap } from '../exchange/limits/aging-map.ts';
import type { RateLimiter } from '../exchange/limits/token-buckets.ts';
import { RequestConflict } from '../exchange/commands/answer-once.ts';
import { NotOpen } from '../exchange/commands/commands.ts';
import type { Router } from '../exchange/delivery/router.ts';
import type { Devices } from '../exchange/directory/devices.ts';
import { deviceKey, type DeviceId, type Sessions } from '../exchange/directory/sessions.ts';
import type { ShortLivedTokens } from '../exchange/directory/short-lived-tokens.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Unended } from '../exchange/participations.ts';
import type { Sha256 } from '../exchange/ports.ts';
import type { Budget, ExchangeSettings } from '../exchange/settings.ts';
import type { Store } from '../exchange/store.ts';
import { Adoption, type Found, UNASKED_MS } from './adoption.ts';
import { UnheardDevices } from './unheard-devices.ts';
import { CallsElsewhere } from './calls-elsewhere.ts';
import { dialKey, REQUEST_LIFE_MS, roomRequestKey } from './keys.ts';
import { NotNow, type NodeName } from './node-link.ts';
import { DEAD_MS, type OpenLink } from './open-link.ts';
import { NodeSilent } from './questions.ts';
import { StateUnreachable } from './shared-state.ts';
import { SharedDevices } from './shared-devices.ts';
import { SharedLimit } from './shared-limits.ts';
import { SharedLiveCalls, storeWithLiveCalls } from './shared-live-calls.ts';
import { roomsWithOwners, SharedRooms } from './shared-rooms.ts';
import { SharedRouter } from './shared-router.ts';
import { SharedSessions } from './shared-sessions.ts';
import { SharedTokens } from './shared-tokens.ts';
import { isNodeName } from './wire.ts';

/** The questions to a node before it counts as unreachable. A node that has died answers none, and its calls move. */
const TRIES = 4;
/** The longest time that a command waits for the record of its call. Milliseconds. */
const RECORD_MS = 500;
/**
 * The time after a loss of the keys of the state in which dials are refused. Milliseconds. Each node that reaches the
 * state learns of the loss within a beat. One that returns to it within this time is in time too.
 */
const WRITING_MS = DEAD_MS;
/** The time in which a node that reaches the state learns of a loss of its keys and writes its calls again. Milliseconds. */
const AGAIN_MS = 2_000;
/** The longest wait for a certain owner, without the last question to the state. Milliseconds. */
const CERTAIN_MS = 3_000;
/** The interval in which a node looks whether another one has written a call again. Milliseconds. */
const LOOK_MS = 250;
/** The only key of the table of draining nodes. */
const DRAINING = 'draining';
/** The only key of the table of nodes that have started. */
const OPEN = 'open';
/** The most calls that are known to have moved from this node. */
const MOVED = 10_000;

/** The commands after which a call is over. */
const ENDING: ReadonlySet<string> = new Set(['cancel', 'decline', 'end', 'timeout', 'connection_lost', 'no_answer']);
/** The commands after which a call is accepted, has media or is over. The books of a call move with its media. */
const DECIDING: ReadonlySet<string> = new Set(['accept', 'connected', ...ENDING]);

const deviceId = v.object({ userId: v.string(), clientId: v.string() });
/** `callId` is the id that the call of a dial has. */
const commandOf = v.object({ device: deviceId, frame: v.unknown(), callId: v.optional(v.string()) });
const aboutCall = v.object({ call_id: v.string() });
const requestOf = v.object({
  device: deviceId,
  request: v.object({
    route: v.string(),
    params: v.unknown(),
    query: v.optional(v.unknown()),
    body: v.optional(v.unknown()),
  }),
});
const answerOf = v.object({ status: v.number(), body: v.unknown() });
const unendedOf = v.array(v.object({ entry: unendedCall, isRinging: v.boolean() }));
/** The answer to a forwarded command. `conflict`: its request id belonged to another command before. */
const repliedOf = v.variant('kind', [
  v.object({ kind: v.literal('reply'), reply: v.unknown() }),
  v.object({ kind: v.literal('conflict') }),
]);
const orderOf = v.variant('kind', [
  v.object({ kind: v.literal('sign out'), userId: v.string(), access: v.nullable(v.string()) }),
  v.object({ kind: v.literal('revoke sessions'), userId: v.string() }),
  v.object({ kind: v.literal('remove user'), userId: v.string() }),
  v.object({ kind: v.literal('end calls'), userId: v.string(), other: v.string() }),
  v.object({ kind: v.literal('drop devices'), userId: v.string(), clientIds: v.array(v.string()) }),
]);

/** When a node gave an order, by the time of the shared state. */
const givenOf = v.object({ at: v.optional(v.number()) });

export interface JoinOptions {
  readonly link: OpenLink;
  readonly clock: Clock;
  readonly log: Log;
  /** The store of the database. */
  readonly store: Store;
  readonly sha256: Sha256;
  readonly settings: Pick<ExchangeSettings, 'aliveSilenceMs' | 'endedCallMs' | 'sessionMs' | 'shortLivedTokenMs'>;
}

/** A cluster as the exchange of one node uses it. */
export interface JoinedCluster extends Cluster {
  /** The store for the exchange: live calls are in the shared state, everything else in the database. */
  readonly store: Store;
  /** Stops the work of this node for the cluster. The link is left separately. */
  dispose(): void;
}

/** Joins the exchange of a node to those of the other nodes. Pass it and its store to the exchange. */
export function joinExchange(options: JoinOptions): JoinedCluster {
  return new ExchangeCluster(options);
}

/** What the exchange of this node makes before it starts. */
interface Made {
  readonly devices: SharedDevices;
  readonly channels: Devices;
  readonly callsElsewhere: CallsElsewhere;
}

class ExchangeCluster implements JoinedCluster {
  readonly store: Store;
  readonly #options: JoinOptions;
  readonly #live: SharedLiveCalls;
  /** When the adopted calls of this node ended, by the monotonic clock, the oldest first. */
  readonly #endedAt = new AgingMap<string, number>();
  #made: Made | null = null;
  #host: ClusterHost | null = null;
  #adoption: Adoption | null = null;
  readonly #unheard: UnheardDevices;
  /** The calls that moved from this node to another one, whose announcement may still be on its way. */
  readonly #moved = new Set<string>();
  /** The lapses of this node when it last found that it still owns a live call. Without an entry: 0. */
  readonly #confirmed = new Map<string, number>();
  /** The calls that this node began, lost to another one and took back. */
  readonly #takenBack = new Set<string>();
  #rooms: SharedRooms | null = null;
  /** When this node learned last that the state has lost its keys, by the monotonic clock. */
  #lostAt = -Infinity;
  /** The dials that this node has passed on, as it drains. Null while it begins calls itself. */
  #passedOn: number | null = null;
  readonly #ends: (() => void)[] = [];

  constructor(options: JoinOptions) {
    const { link, store } = options;
    this.#options = options;
    this.#live = new SharedLiveCalls(
      link.state,
      link.node,
      { call: (callId) => store.call(callId), hasSoon: (callId) => this.#hasRecordSoon(callId) },
      (callId, lastSignal) => this.#tookBack(callId, lastSignal),
      () => link.time(),
    );
    const { clock, settings } = options;
    this.#unheard = new UnheardDevices({ clock, silentMs: UNASKED_MS, returnMs: settings.aliveSilenceMs });
    this.store = {
      ...storeWithLiveCalls(store, this.#live, (callIds) => this.#ended(callIds)),
      rooms: roomsWithOwners(store.rooms, (roomId) => this.#rooms?.save(roomId)),
    };
    // A node that starts has no call yet. Without an answer the other nodes would wait for it.
    this.#ends.push(link.answer('unended', () => []));
  }

  /**
   * Forgets the adoption of calls that ended long ago. Until then the other nodes forward late commands about them here.
   */
  #ended(callIds: readonly string[]): void {
    const { link, clock, settings } = this.#options;
    const now = clock.now();
    for (const callId of callIds) {
      this.#confirmed.delete(callId);
      if (homeOf(callId) !== link.node || this.#takenBack.delete(callId)) this.#endedAt.set(callId, now);
    }
    this.#endedAt.dropOldest((at, callId) => {
      if (now - at < settings.endedCallMs) return false;
      link.table('adopted').set(callId, null);
      return true;
    });
  }

  /** Announces that this node owns a call again. The node that had adopted it learns so that it has lost the call. */
  #tookBack(callId: string, lastSignal: number): void {
    const { link, clock, log } = this.#options;
    // A call whose record is stored meanwhile has ended.
    if (this.#host?.isLive(callId) !== true) this.#endedAt.set(callId, clock.now());
    else if (homeOf(callId) === link.node) this.#takenBack.add(callId);
    log.warn('this node takes back a call from a node with an older claim or state of it', { call: callId });
    // The term differs from what this node announced before, if it has announced the call already.
    link.table('adopted').set(callId, String(this.#live.termOf(callId)));
    this.#host?.tookBack(callId, lastSignal);
  }

  callId(unique: string): string {
    return callIdAt(this.#options.link.node, unique);
  }

  devices(channels: Devices): SharedDevices {
    const { link, clock, settings } = this.#options;
    const devices = new SharedDevices(channels, link.table('devices'), () => link.time());
    const callsElsewhere = new CallsElsewhere(clock, (device) => channels.has(device), settings.aliveSilenceMs);
    this.#made = { devices, channels, callsElsewhere };
    return devices;
  }

  router(here: Router, afterWrites: (send: () => void) => void): Router {
    return new SharedRouter({
      ...{ link: this.#options.link, here, afterWrites, ...this.#parts },
      isStale: (callId, from) => this.#isStale(callId, from),
    });
  }

  /** Returns whether another node than the one that sends an event of a call has adopted the call. */
  #isStale(callId: string, from: NodeName): boolean {
    const { link } = this.#options;
    const adopters = link.table('adopted').elsewhere(callId);
    if (adopters.size > 0) return !adopters.has(from);
    return homeOf(callId) !== link.node && this.#host?.hasCall(callId) === true;
  }

  sessions(here: Sessions): SharedSessions {
    const { link, clock, log, sha256, settings } = this.#options;
    const everywhere = (order: Order) => {
      this.#host?.carryOut(order);
      this.order(order);
    };
    const sessions = new SharedSessions(here, { link, clock, log, sha256, everywhere, lifeMs: settings.sessionMs });
    this.#ends.push(() => sessions.dispose());
    return sessions;
  }

  shortLivedTokens(here: ShortLivedTokens): SharedTokens {
    const { link, log, sha256, settings } = this.#options;
    return new SharedTokens(here, { state: link.state, log, sha256, lifeMs: settings.shortLivedTokenMs });
  }

  rateLimiter(name: LimitName | RequestLimitName, here: RateLimiter, budget: Budget): RateLimiter {
    const { link, clock } = this.#options;
    return new SharedLimit(here, { state: link.state, name, budget, now: () => clock.now() });
  }

  get #parts(): Made {
    if (!this.#made) throw new Error('the exchange has not made its devices yet');
    return this.#made;
  }

  async start(host: ClusterHost): Promise<void> {
    const { link, clock, log, settings, store } = this.#options;
    const { channels } = this.#parts;
    this.#host = host;
    const adoption = new Adoption(
      {
        ...{ link, clock, log },
        live: this.#live,
        adopted: link.table('adopted'),
        isHere: (userId) => channels.isConnected(userId),
        patienceMs: settings.aliveSilenceMs,
      },
      host,
    );
    this.#adoption = adoption;
    this.#rooms = new SharedRooms({
      ...{ link, clock, log },
      owned: link.table('rooms'),
      isUsed: (roomId) => host.isRoomUsed(roomId),
      letGo: (roomId) => host.letGoRoom(roomId),
      kept: (roomId) => host.keptRoom(roomId),
      continueRoom: (roomId, kept) => host.continueRoom(roomId, kept),
      isDead: (node) => adoption.isDead(node),
      claimant: () => this.#beginners()[0] ?? null,
      exists: async (roomId) => host.isRoomUsed(roomId) || (await store.rooms.find(roomId)) !== undefined,
    });
    this.#listen(host, adoption);
    this.#answer(host);
    await adoption.start();
    this.#answerLists(host, adoption);
    link.table(OPEN).set(OPEN, '');
  }

  dispose(): void {
    this.#adoption?.dispose();
    this.#rooms?.dispose();
    for (const end of this.#ends.splice(0)) end();
  }

  ownerOf(callId: string): CommandOwner | null {
    const { link } = this.#options;
    if (this.#host === null) return null;
    if (this.#host.hasCall(callId)) {
      if (this.#mayHaveMoved(callId)) return this.#unsure(callId);
      return this.#wasElsewhere(callId) ? this.#adopted(callId) : null;
    }
    for (const node of link.table('adopted').elsewhere(callId).keys()) return this.#ownerAt(node, callId);
    const home = homeOf(callId);
    if (home !== link.node) return home === null ? null : this.#ownerAt(home, callId);
    return this.#moved.has(callId) ? this.#asked(() => this.#ownerInState(callId), callId) : null;
  }

  async ownerOfRoom(roomId: string): Promise<CommandOwner | null> {
    const { link } = this.#options;
    const owner = (await this.#rooms?.ownerOf(roomId)) ?? link.node;
    return owner === link.node ? null : this.#roomOwner(roomId);
  }

  devicesChanged(userId: string): void {
    this.#parts.devices.changed(userId);
    this.#parts.callsElsewhere.devicesChanged(userId);
  }

  connected(device: DeviceId): void {
    const { link } = this.#options;
    for (const node of this.#parts.devices.nodesWith(device)) link.send(node, 'replaced', device);
    link.broadcast('connected', device);
    this.#unheard.connected(device, link.node);
    void this.#adoption?.adoptFor(device.userId);
  }

  hasCallElsewhere(device: DeviceId): boolean {
    return this.#parts.callsElsewhere.has(device);
  }

  drain(): void {
    this.#passedOn ??= 0;
    this.#options.link.table(DRAINING).set(DRAINING, '');
  }

  async beforeDial(from: DeviceId, requestId: string, ownId: string): Promise<CommandOwner | null> {
    const { link, clock, log } = this.#options;
    if (!link.state.isReachable) throw cannotDial();
    const key = dialKey(deviceKey(from), requestId);
    const beginners = this.#beginners();
    const [beginner] = beginners;
    const callId = beginner === undefined ? ownId : callIdAt(beginner, ownId);
    // The device must not be moved meanwhile.
    if (beginner !== undefined) this.#parts.callsElsewhere.begun(from, callId);
    const begins = () => (beginner === undefined ? null : this.#firstOf(beginners, key, ownId));
    try {
      const [first, hasState] = await Promise.all([
        link.state.setAbsent(key, callId, REQUEST_LIFE_MS),
        link.hasState(),
      ]);
      if (!hasState || clock.now() - this.#lostAt < WRITING_MS) {
        // The claim may be that of a dial that was refused.
        if (this.#hasDial(from, requestId)) {
          this.#parts.callsElsewhere.ended(from, callId);
          return null;
        }
        throw new Error('the shared state has lost its keys: another node may have begun the call of this dial');
      }
      if (first === null) return begins();
      // The same request has begun another call.
      this.#parts.callsElsewhere.ended(from, callId);
      const home = homeOf(first);
      if (home === null || home === link.node || this.#host?.hasCall(first)) return null;
      return {
        command: async (device, frame) => {
          const reply = await this.#ownerAt(home, first).command(device, frame);
          if (reply || (await this.#isMade(first))) return reply;
          // The first node died before it made the call.
          await link.state.set(key, callId, REQUEST_LIFE_MS);
          return begins()?.command(device, frame);
        },
      };
    } catch (error) {
      this.#parts.callsElsewhere.ended(from, callId);
      log.error('a dial could not be checked with the other nodes', { error });
      throw cannotDial();
    }
  }

  /** Returns whether a live call of this node began with this request. */
  #hasDial(from: DeviceId, requestId: string): boolean {
    const key = deviceKey(from);
    return this.#host?.dials.some(({ device, request }) => request === requestId && deviceKey(device) === key) === true;
  }

  /**
   * Returns the nodes of which one begins the next call in place of this one, which drains: the first that lives. Empty
   * when this one begins its calls.
   */
  #beginners(): readonly NodeName[] {
    const { link } = this.#options;
    if (this.#passedOn === null) return [];
    const [open, draining] = [link.table(OPEN).elsewhere(OPEN), link.table(DRAINING).elsewhere(DRAINING)];
    const others = link.others.filter((node) => open.has(node) && !draining.has(node));
    this.#passedOn += 1;
    const first = this.#passedOn % others.length;
    return [...others.slice(first), ...others.slice(0, first)];
  }

  /** Returns the first of these nodes that does not die before it has made the call of a dial. */
  #firstOf(nodes: readonly NodeName[], key: string, ownId: string): CommandOwner {
    const { link } = this.#options;
    return {
      command: async (device, frame) => {
        for (const [at, node] of nodes.entries()) {
          const callId = callIdAt(node, ownId);
          if (at > 0) await link.state.set(key, callId, REQUEST_LIFE_MS);
          const reply = await this.#ownerAt(node, callId).command(device, frame);
          if (reply || (await this.#isMade(callId))) return reply;
        }
        return undefined;
      },
    };
  }

  /**
   * Returns whether this node has adopted the call of a dial that its node did not answer. The call then has its answer.
   *
   * @throws CallError `ERR_INVALID_CALL_STATUS` when this node has not adopted the call and it has ended, else
   *   `ERR_SERVER_INTERNAL_ERROR` when the database does not answer.
   */
  async #isMade(callId: string): Promise<boolean> {
    if (this.#host?.hasCall(callId) === true) return true;
    const { store, log } = this.#options;
    const record = await store.call(callId).catch((error: unknown) => {
      log.error('the call of a repeated dial could not be looked up', { call: callId, error });
      throw cannotDial();
    });
    if (record === undefined) return false;
    throw new CallError(ErrorCode.ERR_INVALID_CALL_STATUS, { message: 'The call of this dial has ended.' });
  }

  roomCreator(): CommandOwner | null {
    const nodes = this.#beginners();
    if (nodes.length === 0) return null;
    const { link } = this.#options;
    return {
      command: async (device, frame) => {
        // A repeated request creates no second room.
        for (const node of nodes) {
          for (let tries = 1; link.isAlive(node); tries += 1) {
            try {
              return replyIn(await link.ask(node, 'command', { device, frame }), frame);
            } catch (error) {
              if (!(error instanceof NodeSilent) || tries === TRIES || !link.state.isReachable) throw error;
            }
          }
        }
        return undefined;
      },
    };
  }

  async beforeRoom(from: DeviceId, requestId: string, roomId: string): Promise<string> {
    const { link, log } = this.#options;
    try {
      const key = roomRequestKey(deviceKey(from), requestId);
      return (await link.state.setAbsent(key, roomId, REQUEST_LIFE_MS)) ?? roomId;
    } catch (error) {
      log.error('the creation of a room could not be checked with the other nodes', { error });
      throw doesNotAnswer();
    }
  }

  async unended(device: DeviceId): Promise<readonly Unended[]> {
    const { link } = this.#options;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const asked = link.others;
      // First, so that no call is between two nodes while they are asked.
      if ((await this.#adoption?.adoptFor(device.userId)) === false) throw doesNotAnswer();
      const all = (await Promise.all(link.others.map((node) => this.#unendedAt(node, device)))).flat();
      // When a node has died meanwhile, its calls have moved.
      if (asked.every((node) => link.isAlive(node)))
        return [...new Map(all.map((one) => [one.entry.call_id, one])).values()];
    }
    throw doesNotAnswer();
  }

  hasHeardOthers(ms: number): boolean {
    return this.#options.link.wasSureFor(ms);
  }

  mayBeUnheard(device: DeviceId): boolean {
    const { link, settings } = this.#options;
    // While this node is cut off itself, it takes no other node for silent.
    return !link.wasSureFor(settings.aliveSilenceMs) || this.#unheard.has(device);
  }

  async ownsCall(callId: string): Promise<boolean> {
    const { owner } = await this.#certainOwner(callId, () => this.#live.ownerOf(callId), true);
    const isOwner = owner === this.#options.link.node;
    if (isOwner) await this.#forgetEnded(callId);
    return isOwner && this.#host?.hasCall(callId) === true;
  }

  callGone(callId: string): void {
    this.#confirmed.delete(callId);
    this.#takenBack.delete(callId);
    this.#live.letGo(callId);
    this.#moved.add(callId);
    for (const oldest of this.#moved) {
      if (this.#moved.size <= MOVED) break;
      this.#moved.delete(oldest);
    }
    this.#options.link.table('adopted').set(callId, null);
  }

  order(order: Order): void {
    const { link } = this.#options;
    link.broadcast('order', { ...order, at: link.time() } satisfies Order & v.InferOutput<typeof givenOf>);
  }

  isBusyElsewhere(userId: string): boolean {
    return this.#options.link.table('busy').elsewhere(userId).size > 0;
  }

  presenceChanged(userId: string): void {
    this.#options.link.table('busy').set(userId, this.#host?.isBusyHere(userId) ? '' : null);
  }

  #listen(host: ClusterHost, adoption: Adoption): void {
    const { link, clock, log } = this.#options;
    const { channels, devices } = this.#parts;
    this.#ends.push(
      link.onNode((node, isAlive) => {
        if (isAlive) adoption.returned(node);
        else this.#died(node, adoption);
        if (isAlive) this.#unheard.returned(node);
      }),
      link.onSilent((node) => {
        // A device may have connected elsewhere before its node counts as silent.
        const left = devices.devicesAt(node).filter((one) => devices.nodeOf(one) === node && !channels.has(one));
        this.#unheard.fellSilent(node, left);
      }),
      link.onMissed((node) => link.send(node, 'resynchronize', null)),
      link.onLost(() => {
        this.#lostAt = clock.now();
        this.#writeAll(host);
      }),
      link.state.onReachable((isReachable) => {
        if (!isReachable) return;
        this.#writeAll(host);
        this.#live.again().catch((error: unknown) => log.error('calls that are over stay in the state', { error }));
      }),
      link.table('adopted').onChange((callId) => {
        // The write finds out whether the other node has taken the call over from this one.
        if (link.table('adopted').elsewhere(callId).size > 0) host.writeAgain(callId);
      }),
      link.table('devices').onChange((userId) => host.presenceChanged(userId)),
      link.table('busy').onChange((userId) => host.presenceChanged(userId)),
      link.receive('connected', (message, node) => {
        const device = v.parse(deviceId, message);
        this.#unheard.connected(device, node);
        host.welcome(device);
      }),
      link.receive('replaced', (message) => host.replaced(v.parse(deviceId, message))),
      link.receive('order', (message) => host.carryOut(v.parse(orderOf, message), v.parse(givenOf, message).at)),
      link.receive('resynchronize', (_, node) => {
        host.repeatEnds((device) => devices.nodeOf(device) === node);
        for (const device of devices.devicesAt(node)) host.welcome(device);
      }),
    );
  }

  /** Writes the live calls again, and the claims of their dials, which clients may repeat. The state may have lost them. */
  #writeAll(host: ClusterHost): void {
    const { link, clock, log } = this.#options;
    host.writeAgain();
    for (const { callId, device, request, createdAt } of host.dials) {
      if (clock.wallTime() - createdAt >= REQUEST_LIFE_MS) continue;
      // A dial that is refused meanwhile leaves a claim without a call.
      link.state
        .set(dialKey(deviceKey(device), request), callId, REQUEST_LIFE_MS)
        .catch((error: unknown) => log.warn('a dial is not known to the other nodes', { call: callId, error }));
    }
  }

  #died(node: NodeName, adoption: Adoption): void {
    const { store, log } = this.#options;
    void adoption.died(node);
    // The participants of its rooms ended with it.
    store.rooms
      .emptyAll(node)
      .catch((error: unknown) => log.error('the rooms of a dead node are not empty in the store', { node, error }));
  }

  #answer(host: ClusterHost): void {
    const { link } = this.#options;
    const mustAnswer = () => {
      if (!host.isOpen) throw new NotNow('the exchange is starting or stopping');
    };
    this.#ends.push(
      link.answer('command', async (question) => {
        mustAnswer();
        const { device, frame, callId } = v.parse(commandOf, question);
        const command = anyCommandFrom(frame);
        const before = async () => {
          if ('call_id' in command.payload) {
            // A call that may have moved is looked up below in any case.
            if (!this.#mayHaveMoved(command.payload.call_id))
              await this.#beforeCommand(command.payload.call_id, command.type);
            await this.#mustOwn(command.payload.call_id, DECIDING.has(command.type));
          }
          if ('room_id' in command.payload) await this.#mustOwnRoom(command.payload.room_id);
        };
        try {
          return { kind: 'reply', reply: await host.command(device, command, { callId, before }) };
        } catch (error) {
          if (error instanceof RequestConflict) return { kind: 'conflict' };
          if (error instanceof NotOpen) throw new NotNow(error.message);
          throw error;
        }
      }),
      link.answer('request', async (question) => {
        mustAnswer();
        const { device, request } = v.parse(requestOf, question);
        const about = v.safeParse(aboutCall, request.params);
        if (about.success) await this.#mustOwn(about.output.call_id, false);
        // It may have stopped meanwhile, and forgotten its calls.
        mustAnswer();
        // The other node found the route by the same table.
        return host.request(device, request as CallRequest);
      }),
    );
  }

  /** Answers with the calls of a device, when this node may have some. */
  #answerLists(host: ClusterHost, adoption: Adoption): void {
    this.#ends.push(
      this.#options.link.answer('unended', async (question) => {
        const mustBeOpen = () => {
          if (!host.isOpen) throw new NotNow('the exchange is stopping');
        };
        mustBeOpen();
        const device = v.parse(deviceId, question);
        const isWhole = await adoption.adoptFor(device.userId);
        // It may have stopped meanwhile, and forgotten its calls.
        mustBeOpen();
        if (!isWhole) throw doesNotAnswer();
        return host.unended(device);
      }),
    );
  }

  /** Rejects with NodeSilent when another node has adopted a call of this one. The asking node then looks for it. */
  async #mustOwn(callId: string, decides: boolean): Promise<void> {
    // The state names this node before the call is here.
    await this.#adoption?.underWay(callId);
    if ((await this.#nextOwnerOf(callId, decides)) !== null) throw new NodeSilent('the call has moved');
  }

  /** Returns the node that has adopted a call of this one. Null when the call is here or is over. */
  async #nextOwnerOf(callId: string, decides: boolean): Promise<NodeName | null> {
    const isGone = this.#moved.has(callId) && this.#host?.hasCall(callId) !== true;
    if (isGone) return this.#ownerInState(callId);
    return this.#mayHaveMoved(callId) ? this.#newOwnerOf(callId, decides) : null;
  }

  /** Rejects with NodeSilent when another node owns a room. A room without an owner belongs to this node then. */
  async #mustOwnRoom(roomId: string): Promise<void> {
    const owner = await this.#rooms?.ownerOf(roomId);
    if (owner !== undefined && owner !== this.#options.link.node) throw new NodeSilent('the room has moved');
  }

  /** Returns the owner of a room, which is found out again when a node does not answer. */
  #roomOwner(roomId: string): CommandOwner {
    const { link } = this.#options;
    return {
      command: async (device, frame) => {
        for (let tries = 1; ; tries += 1) {
          const node = (await this.#rooms?.ownerOf(roomId)) ?? link.node;
          if (node === link.node) return undefined;
          try {
            return replyIn(await link.ask(node, 'command', { device, frame }), frame);
          } catch (error) {
            if (!(error instanceof NodeSilent) || tries === TRIES || !link.state.isReachable) throw error;
          }
        }
      },
    };
  }

  /** @param callId - the call of the commands. That of a dial may not be there yet. */
  #ownerAt(node: NodeName, callId: string): CommandOwner {
    return {
      command: async (device, frame) => {
        const { callsElsewhere } = this.#parts;
        callsElsewhere.begun(device, callId);
        const answer = await this.#ask(node, callId, 'command', {
          ...{ device, frame },
          callId: frame.type === 'dial' ? callId : undefined,
        });
        if (answer === 'here') await this.#beforeCommand(callId, frame.type);
        const reply = answer === 'here' ? undefined : replyIn(answer.answer, frame);
        if (!reply || isOverAfter(frame, reply)) callsElsewhere.ended(device, callId);
        return reply;
      },
      request: async (device, request) => {
        // Statistics need no channel: the device may be connected to a node that is only cut off from the state.
        const mayAdopt = request.route !== 'statsLogs';
        const answer = await this.#ask(node, callId, 'request', { device, request }, mayAdopt);
        return answer === 'here' ? undefined : (v.parse(answerOf, answer.answer) satisfies CallAnswer);
      },
    };
  }

  /** Returns the owner of a call that this node has, and that another one may have adopted. */
  #unsure(callId: string): CommandOwner {
    return this.#asked((decides) => this.#newOwnerOf(callId, decides), callId);
  }

  /** Returns whether this node has adopted a call, or has taken it back. Another node may have ended it then. */
  #wasElsewhere(callId: string): boolean {
    return homeOf(callId) !== this.#options.link.node || this.#takenBack.has(callId);
  }

  /** Returns this node as the owner of a call that was at another one. */
  #adopted(callId: string): CommandOwner {
    return {
      command: async (_, { type }) => {
        await this.#beforeCommand(callId, type);
        return undefined;
      },
      request: async () => undefined,
    };
  }

  /**
   * Prepares a command about a call of this node. Forgets a call that has ended, before the command decides about it. The
   * node that had it before may only have been cut off from the state, and may have ended the call.
   */
  async #beforeCommand(callId: string, type: string): Promise<void> {
    if (!DECIDING.has(type)) return;
    await this.#adoption?.underWay(callId);
    if (this.#wasElsewhere(callId)) await this.#forgetEnded(callId);
  }

  /** Returns whether another node may have adopted a call of this one since this one last asked. */
  #mayHaveMoved(callId: string): boolean {
    const { link } = this.#options;
    return !link.isSure || link.lapses > (this.#confirmed.get(callId) ?? 0);
  }

  /**
   * Returns an owner that is found out for each command.
   *
   * @param find - finds it. Null: this node. `decides`: the command is one of {@link DECIDING}.
   */
  #asked(find: (decides: boolean) => Promise<NodeName | null>, callId: string): CommandOwner {
    const owner = async (decides: boolean) => {
      const node = await find(decides);
      return node === null ? null : this.#ownerAt(node, callId);
    };
    return {
      command: async (device, frame) => (await owner(DECIDING.has(frame.type)))?.command(device, frame),
      request: async (device, request) => (await owner(false))?.request?.(device, request),
    };
  }

  /** Returns the other node that owns a call in the state. Null when there is none. */
  async #ownerInState(callId: string): Promise<NodeName | null> {
    const owner = await this.#live.ownerOf(callId);
    return owner === this.#options.link.node ? null : owner;
  }

  /**
   * Forgets a live call that another node has ended. Waits for the database for a moment only: a live call goes on
   * without it. An answer that comes later still counts. Returns false when the database fails.
   */
  async #forgetEnded(callId: string): Promise<boolean> {
    return (await this.#soon(this.#lookForEnd(callId))) ?? true;
  }

  /** Returns whether a call has a record. False also when the database does not answer within a moment. */
  async #hasRecordSoon(callId: string): Promise<boolean> {
    const { log, store } = this.#options;
    const found = store.call(callId).catch((error: unknown) => {
      log.error('this node cannot find out whether a call has ended', { call: callId, error });
    });
    return (await this.#soon(found)) !== undefined;
  }

  /** Resolves as the work does. Undefined after the time for which a live call waits for the database. */
  async #soon<Result>(work: Promise<Result>): Promise<Result | undefined> {
    let timer: Timer | undefined;
    const limit = new Promise<undefined>((resolve) => {
      timer = this.#options.clock.after(RECORD_MS, () => resolve(undefined));
    });
    try {
      return await Promise.race([work, limit]);
    } finally {
      timer?.cancel();
    }
  }

  /**
   * Forgets a live call that has a record. Its devices here connect anew, and get the end from the history. Returns false
   * when the database fails.
   */
  async #lookForEnd(callId: string): Promise<boolean> {
    const { log, store } = this.#options;
    if (!this.#host?.isLive(callId)) return true;
    try {
      if ((await store.call(callId)) === undefined) return true;
    } catch (error) {
      // A live call goes on without the database.
      log.error('this node cannot find out whether another one has ended a call', { call: callId, error });
      return false;
    }
    this.#host.letGo([callId]);
    await this.#live.forget([callId]);
    return true;
  }

  /**
   * Returns the owner of a live call, and whether it is certain. It is not while the other nodes may still write calls
   * again that they have adopted from this one.
   *
   * @param find - finds the owner in the state. Null for a call that is over.
   * @param waits - whether to wait for a moment until the owner is certain.
   */
  async #certainOwner(
    callId: string,
    find: () => Promise<NodeName | null>,
    waits: boolean,
  ): Promise<{ owner: NodeName | null; isCertain: boolean }> {
    const { link, clock } = this.#options;
    const until = clock.now() + CERTAIN_MS;
    for (;;) {
      const owner = await find();
      const isCertain = owner !== link.node || !(await this.#isIncomplete());
      const isOver = clock.now() >= until || this.#host?.isLive(callId) !== true;
      if (isCertain || !waits || isOver) return { owner, isCertain };
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    }
  }

  /** Returns whether the state has lost its keys, and other nodes may not have written theirs again. */
  async #isIncomplete(): Promise<boolean> {
    const { link, clock } = this.#options;
    if (!(await link.hasState())) this.#lostAt = clock.now();
    return clock.now() - this.#lostAt < AGAIN_MS;
  }

  /**
   * Returns the node that has adopted a call of this one, which then forgets the call. Null when the call is here or is
   * over, and when the state cannot be reached: a live call goes on without it.
   *
   * @param decides - whether a command is one of {@link DECIDING}. It waits until the owner is certain.
   */
  async #newOwnerOf(callId: string, decides: boolean): Promise<NodeName | null> {
    const host = this.#host;
    if (!host?.isLive(callId)) return null;
    const { link } = this.#options;
    const { lapses } = link;
    // The record of a call that is over is looked up below, for a moment only.
    const find = async () => (await this.#live.ownerNow(callId)) ?? link.node;
    const { owner, isCertain } = await this.#certainOwner(callId, find, decides).catch((error: unknown) => {
      if (error instanceof StateUnreachable) return { owner: undefined, isCertain: false };
      throw error;
    });
    if (owner !== undefined && owner !== link.node) {
      host.letGo([callId]);
      return owner;
    }
    const isLookedUp = await this.#forgetEnded(callId);
    const isConfirmed = isCertain && isLookedUp && owner === link.node;
    if (isConfirmed && host.isLive(callId)) this.#confirmed.set(callId, lapses);
    // Another node may have taken the call from this one meanwhile.
    return host.hasCall(callId) ? null : this.#ownerSinceIn(callId);
  }

  /** Returns the other node that owns a call which this one has let go. Null when there is none, or the state does not answer. */
  async #ownerSinceIn(callId: string): Promise<NodeName | null> {
    const { link } = this.#options;
    try {
      const owner = await this.#live.ownerIn(callId);
      return owner === undefined || owner === link.node ? null : owner;
    } catch (error) {
      if (error instanceof StateUnreachable) return null;
      throw error;
    }
  }

  /**
   * Asks the owner of a call. When that node has died, this one adopts the call, or asks the node that has.
   *
   * @param mayAdopt - false when the question must not move the call. It is then answered here, as for an unknown call.
   * Rejects with NodeSilent when no node answers.
   */
  async #ask(
    node: NodeName,
    callId: string,
    topic: string,
    question: unknown,
    mayAdopt = true,
  ): Promise<'here' | { readonly answer: unknown }> {
    const { link } = this.#options;
    let at = node;
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (at === link.node) {
        // The state names this node before the call is here.
        await this.#adoption?.underWay(callId);
        return 'here';
      }
      if (!link.isAlive(at)) {
        if (!mayAdopt) return 'here';
        const found: Found = (await this.#adoption?.find(callId, at)) ?? 'here';
        if (found === 'here' || found === 'nowhere') return 'here';
        at = found.at;
      }
      try {
        return { answer: await link.ask(at, topic, question) };
      } catch (error) {
        if (!(error instanceof NodeSilent) || !link.state.isReachable) throw error;
        if (link.isAlive(at) && tries === TRIES - 1) throw error;
        // That node may have lost the call to one whose announcement is on its way, or which has died since.
        if (link.isAlive(at)) at = (await this.#live.ownerIn(callId)) ?? at;
      }
    }
    throw new NodeSilent('no node answers for a call');
  }

  /** Returns what a node has unended for a device. Empty for a node that has died: its calls are adopted. */
  async #unendedAt(node: NodeName, device: DeviceId): Promise<readonly Unended[]> {
    const { link, log } = this.#options;
    for (let tries = 0; tries < TRIES && link.isAlive(node); tries += 1) {
      try {
        return v.parse(unendedOf, await link.ask(node, 'unended', device));
      } catch (error) {
        if (!(error instanceof NodeSilent)) throw error;
        log.warn('a node did not list the calls of a device', { node, why: error.message });
      }
    }
    if (!link.isAlive(node)) return [];
    throw doesNotAnswer();
  }
}

/** @throws RequestConflict when the owner refused the request id. */
function replyIn(answer: unknown, frame: AnyCommandFrame): ReplyFrame {
  const read = v.parse(repliedOf, answer);
  if (read.kind === 'conflict') throw new RequestConflict(`request ${frame.request_id} was another command before`);
  return replyFrom(read.reply);
}

/** Returns whether a device has no part in a call after this reply. A refusal says so only in two cases. */
function isOverAfter({ type }: AnyCommandFrame, { error }: ReplyFrame): boolean {
  return error ? type === 'dial' || error.code === ErrorCode.ERR_CALL_DOES_NOT_EXIST : ENDING.has(type);
}

/** Returns the id of a call that a node begins. The node that made the id may be another one. */
function callIdAt(node: NodeName, id: string): string {
  return `${node}.${id.slice(id.indexOf('.') + 1)}`;
}

/** Returns the node that made the id of a call. Null for an id of another form. */
function homeOf(callId: string): NodeName | null {
  const [home = '', ...rest] = callId.split('.');
  return rest.length > 0 && isNodeName(home) ? home : null;
}

const doesNotAnswer = () =>
  new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'A part of the server does not answer.' });

const cannotDial = () =>
  new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, {
    message: 'The server cannot begin calls at the moment. Try again soon.',
  });
