import type { EndRecord } from '../../exchange/calls/call.ts';
import { HOLD_MS } from '../../exchange/delivery/outbox.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { RoomSnapshot } from '../../exchange/rooms/room-snapshot.ts';
import type { Answer } from '../../faults/message.ts';
import type { HttpRequest } from '../../http/request.ts';
import { Balancer } from '../../virtual/balancer.ts';
import type { VirtualClock } from '../../virtual/clock.ts';
import type { ChannelIdentity, ExchangeAnswer, ExchangeDoor, ExchangeLink } from '../../virtual/exchange-door.ts';
import type { VirtualMediaServer } from '../../virtual/media-server.ts';
import { ExchangeClock } from './exchange-clock.ts';
import { joinNodes } from './join-nodes.ts';
import { Pause } from './pause.ts';
import { VirtualNode } from './virtual-node.ts';
import { VirtualProcess } from './virtual-process.ts';
import { VirtualState } from './virtual-state.ts';
import { VirtualStore } from './virtual-store.ts';

/** The difference between the monotonic clocks of two nodes. Milliseconds. */
const CLOCKS_APART_MS = 10_000_019;

/** The hash of a text. Nothing is secret here. */
const sha256 = (text: string) => `hash of ${text}`;

export interface ClusterOptions {
  readonly world: VirtualClock;
  readonly seed: number;
  /** The number of nodes. One node has no balancer's probes, no shared state and no bus. */
  readonly nodes: number;
  readonly users: readonly string[];
  readonly mediaServer: VirtualMediaServer;
}

/** An end of a call that a node emitted to its host. */
interface EmittedEnd {
  /** The name of the process. */
  readonly process: string;
  /** Its result and node. */
  readonly words: string;
  readonly record: EndRecord;
  /** When it was emitted, by the clock of the world. Milliseconds. */
  readonly at: number;
}

/**
 * The exchange of a virtual world: nodes behind a balancer. They share the database, which is the history of calls, and
 * the media server of rooms. Each has a clock of its own.
 */
export class VirtualCluster implements ExchangeDoor {
  readonly nodes: readonly VirtualNode[];
  readonly #balancer: Balancer<VirtualNode>;
  readonly #options: ClusterOptions;
  /** The shared state of several nodes. Null with one node. */
  readonly state: VirtualState | null;
  readonly #users: readonly { user_id: string; nickname: string; profile_url: string }[];
  #store = new VirtualStore();
  /** The ends of each call that nodes emitted to their hosts, which charge for calls. */
  readonly #ends = new Map<string, readonly EmittedEnd[]>();
  /** The number of generated values: a new value never equals an earlier one, like random tokens. */
  #made = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.state = options.nodes > 1 ? new VirtualState(options.world) : null;
    this.#users = [...new Set(options.users)].map((user_id) => ({ user_id, nickname: user_id, profile_url: '' }));
    this.nodes = Array.from({ length: options.nodes }, (_, at) => this.#node(at));
    this.#balancer = new Balancer(this.nodes, options.seed);
  }

  get isDown(): boolean {
    return this.#balancer.isDown;
  }

  /** The exchanges of the nodes that run. Of one node that is alone, also the last one. */
  get exchanges(): readonly Exchange[] {
    return this.nodes.flatMap(({ exchange, isDown }) => (exchange && !(isDown && this.state) ? exchange : []));
  }

  /** The ended calls of the history, the oldest first. */
  get history(): readonly EndRecord[] {
    return this.#store.records;
  }

  /** The live calls of all nodes. A call that two nodes have is listed once. */
  get liveCalls(): readonly string[] {
    return [...new Set(this.exchanges.flatMap(({ liveCalls }) => liveCalls.map(({ callId }) => callId)))];
  }

  /** The names of the nodes that have a live call, one for each of their calls. */
  get owners(): readonly string[] {
    return this.nodes.flatMap(({ name, exchange, isDown }) =>
      isDown ? [] : (exchange?.liveCalls.map(() => name) ?? []),
    );
  }

  /** The number of nodes that run. */
  get running(): number {
    return this.nodes.filter(({ isDown }) => !isDown).length;
  }

  /** What is left over, in words: keys of ended calls in the shared state, and calls that ended twice. */
  get leftovers(): readonly string[] {
    const ended = this.history.map(({ callId }) => callId);
    const keys = this.state?.keys.filter((key) => ended.some((callId) => key.includes(callId))) ?? [];
    const twice = [...this.#ends.values()].filter(({ length }) => length > 1);
    return [
      ...keys.map((key) => `the shared state has the key ${key}`),
      ...twice.map((ends) => `a call ended ${ends.length} times: ${ends.map(({ words }) => words).join(', ')}`),
      ...this.#store.contradictions,
    ];
  }

  /** Whether every node can be used. */
  get isReady(): boolean {
    return this.nodes.every(({ isReady }) => isReady);
  }

  get deviceCount(): number {
    return this.exchanges.reduce((sum, { deviceCount }) => sum + deviceCount, 0);
  }

  get roomSnapshots(): readonly RoomSnapshot[] {
    return this.exchanges.flatMap(({ roomSnapshots }) => roomSnapshots);
  }

  connect(who: ChannelIdentity, link: ExchangeLink): ExchangeAnswer | Promise<ExchangeAnswer> {
    return this.#balancer.connect(who, link);
  }

  http(request: HttpRequest): Promise<Answer> {
    return this.#balancer.http(request);
  }

  /** Stops all nodes in an orderly way, as SIGTERM does. */
  stop(): void {
    for (const node of this.nodes) node.stop();
  }

  /** Kills all nodes, as kill -9 does. */
  kill(): void {
    for (const node of this.nodes) node.kill();
  }

  /** Kills all nodes and deletes their database. */
  lose(): void {
    this.kill();
    this.#store = new VirtualStore();
  }

  /** Starts the nodes that are down. */
  start(): void {
    for (const node of this.nodes) node.start();
  }

  /** Ends the nodes with their world. */
  close(): void {
    for (const node of this.nodes) node.close();
  }

  #ended(node: string, process: string, record: EndRecord): void {
    const { callId, endResult } = record;
    const end = { process, words: `${endResult} at ${node}`, record, at: this.#options.world.now() };
    this.#ends.set(callId, [...(this.#ends.get(callId) ?? []), end]);
  }

  /**
   * Forgets the ends that a killed process had not stored, while messages still waited for the store: no device had heard
   * of them, so the calls go on. A host stores what it does at an end under the id of the call.
   */
  #killed(process: string): void {
    const since = this.#options.world.now() - HOLD_MS;
    const isUnheard = (end: EmittedEnd) =>
      end.process === process && end.at > since && !this.#store.hasStored(end.record);
    for (const [callId, ends] of this.#ends)
      this.#ends.set(
        callId,
        ends.filter((end) => !isUnheard(end)),
      );
  }

  #node(at: number): VirtualNode {
    const { world, mediaServer } = this.#options;
    const clock = new ExchangeClock(world, at * CLOCKS_APART_MS);
    const pause = new Pause();
    const next = (kind: string) => `${kind}-${String((this.#made += 1)).padStart(20, '0')}`;
    const ids = { uuid: () => next('id'), token: () => next('token') };
    const node = `node-${at + 1}`;
    const { state } = this;
    let starts = 0;
    return new VirtualNode({
      name: node,
      clock,
      pause,
      start: () => {
        const store = this.#store;
        const common = { clock, ids, sha256, users: this.#users, store, mediaServer };
        if (!state) return new VirtualProcess({ ...common, name: 'exchange' });
        starts += 1;
        const process = `n${at + 1}s${starts}`;
        return new VirtualProcess({
          ...common,
          name: process,
          ended: (record) => this.#ended(node, process, record),
          killed: () => this.#killed(process),
          join: (own) => joinNodes({ state, store, sha256, node, process, clock: own, pause }),
        });
      },
    });
  }
}
