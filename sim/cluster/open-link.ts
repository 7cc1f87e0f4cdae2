import type { Clock, Timer } from '../../src/common/clock.ts';
import type { Log } from '../exchange/logging/log.ts';
import { Listeners } from './listeners.ts';
import { NotNow, type Answerer, type NodeLink, type NodeName } from './node-link.ts';
import { Numbered } from './numbered.ts';
import { Questions } from './questions.ts';
import type { SharedState } from './shared-state.ts';
import { Tables } from './tables.ts';
import { readMessage, toAll, toOne, type Row, type ToAll, type ToOne } from './wire.ts';

/** The interval of a node's signs of life. Milliseconds. */
export const BEAT_MS = 1_000;
/** A node without a sign of life for this long counts as dead. Milliseconds. */
export const DEAD_MS = 5_000;
/** The time for which the best answer about the time of the state counts. Milliseconds. */
const TIME_MS = 60_000;
/** By how much the clocks of a node and of the state may drift apart in a millisecond. */
const DRIFT = 0.001;
/** The longest time that a start waits for the tables of the other nodes. Milliseconds. */
const JOIN_MS = 2_000;
/** The life of the list of nodes, and of the mark that the state has not lost its keys. Milliseconds. */
const LISTED_MS = 24 * 3_600_000;

const ALL = 'all';
const channelOf = (node: NodeName) => `node ${node}`;
const LISTED = 'nodes';
const keyOf = (node: NodeName) => `node ${node}`;
/** A key that has gone only when the state has lost its keys. */
const markOf = (node: NodeName) => `mark ${node}`;

/** The most nodes whose counts are kept after their death. */
const COUNTED = 1_000;

/** The counts of messages between another node and this one. They go on when the node was only thought to be dead. */
interface Counts {
  /** Its messages to all nodes. */
  readonly toAll: Numbered;
  /** Its messages to this node. */
  readonly toHere: Numbered;
  /** The number of this node's messages to it. */
  sent: number;
}

/** Another node that is alive, as this one has it. */
interface Peer {
  readonly counts: Counts;
  /** When its last message arrived, by the monotonic clock. */
  seenAt: number;
  /** The changes of its rows since this node asked for all of them. Null when it has not asked. */
  since: { readonly seq: number; readonly rows: readonly Row[] }[] | null;
  /** Whether its rows have arrived. */
  hasRows: boolean;
  /** Whether messages were missing at its last sign of life. */
  wasMissing: boolean;
}

export interface LinkOptions {
  /** The name of this node, which no node had before: `n` and letters or digits. */
  readonly node: NodeName;
  readonly state: SharedState;
  readonly clock: Clock;
  readonly log: Log;
}

/** A link that runs until it is left. */
export interface OpenLink extends NodeLink {
  /** The nodes of the list that are not alive. What they owned may be adopted. */
  dead(): Promise<readonly NodeName[]>;
  /**
   * Calls the listener when another node has fallen silent, before its entries leave the tables. Returns the function
   * that removes it.
   */
  onSilent(listener: (node: NodeName) => void): () => void;
  /** Returns whether the state still has the mark of this node: it has not lost its keys. */
  hasState(): Promise<boolean>;
  /**
   * Whether this node has renewed its sign of life in time. While it has, no node adopts its calls, whatever the bus
   * loses.
   */
  readonly isSure: boolean;
  /** How often this node has renewed its sign of life too late. After each time other nodes may have adopted its calls. */
  readonly lapses: number;
  /** Returns whether this node has renewed its sign of life in time for all of the last `ms` milliseconds. */
  wasSureFor(ms: number): boolean;
  /**
   * Returns the time of the shared state, as far as this node knows it. It is wrong by at most half of the way of an
   * answer and the drift of a minute, whatever the wall clock shows. So two nodes may differ by the sum of their errors.
   *
   * Each call returns a later time, until the clock of the state is set. This node follows at its next sign of life, also
   * back. Milliseconds since the epoch.
   */
  time(): number;
  /** Returns whether the sign of life of another node has expired, so that its calls may be adopted. */
  isGone(node: NodeName): Promise<boolean>;
  /** Removes a dead node from the list: it owns nothing any more. */
  forget(node: NodeName): Promise<void>;
  /** Informs the other nodes that this one stops, and ends the link. Never rejects. */
  leave(): Promise<void>;
}

/**
 * Joins the cluster. Resolves when this node has the tables of the others, or after a time limit. Rejects with
 * StateUnreachable when the shared state cannot be reached.
 */
export async function openLink(options: LinkOptions): Promise<OpenLink> {
  const link = new Link(options);
  await link.join();
  return link;
}

class Link implements OpenLink {
  readonly node: NodeName;
  readonly state: SharedState;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #peers = new Map<NodeName, Peer>();
  readonly #counts = new Map<NodeName, Counts>();
  readonly #tables: Tables;
  readonly #questions: Questions;
  readonly #topics = new Map<string, Listeners<[message: unknown, from: NodeName]>>();
  readonly #answerers = new Map<string, Answerer>();
  /** The questions of other nodes whose answers are under way. */
  readonly #underWay = new Set<string>();
  readonly #nodeListeners: Listeners<[node: NodeName, isAlive: boolean]>;
  readonly #silentListeners: Listeners<[node: NodeName]>;
  readonly #missedListeners: Listeners<[node: NodeName]>;
  readonly #lostListeners: Listeners<[]>;
  readonly #ends: (() => void)[] = [];
  /** When the sign of life that the state has was sent, by the monotonic clock. */
  #renewedAt = 0;
  #lapses = 0;
  /** True from a loss of the keys of the state until the listeners have heard of it. */
  #hasLostKeys = false;
  /** When the sign of life was set first, or first again after a lapse. By the monotonic clock. */
  #sureSince = Infinity;
  /** The time of the state at a moment of the monotonic clock, and by how much it may be wrong. Milliseconds. */
  #stateTime = { at: 0, clock: -Infinity, error: Infinity };
  #lastTime = 0;
  #hasRegistered = false;
  #sent = 0;
  #rows: Row[] = [];
  #beat: Timer | null = null;
  #joined: () => void = () => undefined;
  #hasLeft = false;

  constructor({ node, state, clock, log }: LinkOptions) {
    this.node = node;
    this.state = state;
    this.#clock = clock;
    this.#log = log;
    const failed = (error: unknown) => log.error('a listener to the cluster failed', { error });
    this.#tables = new Tables((row) => this.#changed(row), failed);
    this.#questions = new Questions(clock);
    this.#nodeListeners = new Listeners(failed);
    this.#silentListeners = new Listeners(failed);
    this.#missedListeners = new Listeners(failed);
    this.#lostListeners = new Listeners(failed);
  }

  async join(): Promise<void> {
    const { state } = this;
    this.#ends.push(await state.subscribe(ALL, (text) => this.#onAll(text)));
    this.#ends.push(await state.subscribe(channelOf(this.node), (text) => this.#onOne(text)));
    this.#ends.push(state.onReachable((isReachable) => this.#reachable(isReachable)));
    await state.set(markOf(this.node), '', LISTED_MS);
    await this.#askTime();
    await this.#register();
    const listed = [...(await state.fields(LISTED)).keys()].filter((name) => name !== this.node);
    const alive = await Promise.all(listed.map((name) => state.get(keyOf(name))));
    const expected = listed.filter((_, at) => alive[at] !== null);
    this.#publishBeat(true);
    this.#beat = this.#clock.every(BEAT_MS, () => this.#onBeat());
    await this.#rowsOf(expected);
  }

  get others(): readonly NodeName[] {
    return [...this.#peers.keys()].toSorted();
  }

  time(): number {
    const { at, clock } = this.#stateTime;
    this.#lastTime = Math.max(this.#lastTime + 1, Math.round(at + this.#clock.now() - clock));
    return this.#lastTime;
  }

  isAlive(node: NodeName): boolean {
    return node === this.node || this.#peers.has(node);
  }

  onNode(listener: (node: NodeName, isAlive: boolean) => void): () => void {
    return this.#nodeListeners.add(listener);
  }

  onSilent(listener: (node: NodeName) => void): () => void {
    return this.#silentListeners.add(listener);
  }

  onMissed(listener: (node: NodeName) => void): () => void {
    return this.#missedListeners.add(listener);
  }

  onLost(listener: () => void): () => void {
    return this.#lostListeners.add(listener);
  }

  table(name: string) {
    return this.#tables.of(name);
  }

  broadcast(topic: string, body: unknown): void {
    // Rows before the message must arrive before it.
    this.#flush();
    this.#publishAll({ kind: 'message', topic, body });
  }

  send(node: NodeName, topic: string, body: unknown): void {
    this.#flush();
    const peer = this.#peers.get(node);
    if (!peer) return;
    peer.counts.sent += 1;
    this.#publishOne(node, { kind: 'message', from: this.node, seq: peer.counts.sent, topic, body });
  }

  receive(topic: string, receive: (message: unknown, from: NodeName) => void): () => void {
    const failed = (error: unknown) => this.#log.error('a message of another node failed', { topic, error });
    const listeners = this.#topics.get(topic) ?? new Listeners<[message: unknown, from: NodeName]>(failed);
    this.#topics.set(topic, listeners);
    return listeners.add(receive);
  }

  ask(node: NodeName, topic: string, body: unknown): Promise<unknown> {
    this.#flush();
    return this.#questions.ask(node, (id) => {
      this.#publishOne(node, { kind: 'question', from: this.node, seq: 0, id, topic, body });
    });
  }

  answer(topic: string, answerer: Answerer): () => void {
    this.#answerers.set(topic, answerer);
    return () => this.#answerers.delete(topic);
  }

  async dead(): Promise<readonly NodeName[]> {
    const listed = await this.state.fields(LISTED);
    return [...listed.keys()].filter((name) => !this.isAlive(name)).toSorted();
  }

  async hasState(): Promise<boolean> {
    // This node sets its mark again before it announces the loss.
    return (await this.state.get(markOf(this.node))) !== null && !this.#hasLostKeys;
  }

  get isSure(): boolean {
    return this.#clock.now() - this.#renewedAt < DEAD_MS;
  }

  get lapses(): number {
    return this.#lapses;
  }

  wasSureFor(ms: number): boolean {
    return this.isSure && this.#clock.now() - this.#sureSince >= ms;
  }

  async isGone(node: NodeName): Promise<boolean> {
    return (await this.state.get(keyOf(node))) === null;
  }

  async forget(node: NodeName): Promise<void> {
    await this.state.changeFields(LISTED, { remove: [node], lifeMs: LISTED_MS });
    // The mark stays until it expires. The node may return, and would take its absence for a loss of all keys.
    await this.state.remove([keyOf(node)]);
  }

  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#flush();
    this.#hasLeft = true;
    this.#beat?.cancel();
    this.#questions.dispose();
    try {
      // The others adopt the calls when they learn of the end, and need the keys to be gone then.
      await this.state.remove([keyOf(this.node), markOf(this.node)]);
      await this.state.publish(ALL, JSON.stringify({ kind: 'bye', from: this.node, seq: this.#sent } satisfies ToAll));
    } catch (error) {
      this.#log.warn('the other nodes do not learn that this one stops', { error });
    }
    for (const end of this.#ends.splice(0)) end();
  }

  /** Lists this node, and sets its sign of life for nodes that start. */
  async #register(): Promise<void> {
    await this.state.changeFields(LISTED, { set: { [this.node]: String(this.#clock.wallTime()) }, lifeMs: LISTED_MS });
    if (this.#hasLeft) return;
    const sentAt = this.#clock.now();
    await this.state.set(keyOf(this.node), '', DEAD_MS);
    if (!this.#hasRegistered || !this.isSure) this.#sureSince = sentAt;
    if (this.#hasRegistered && !this.isSure) this.#lapses += 1;
    this.#hasRegistered = true;
    this.#renewedAt = sentAt;
  }

  /**
   * Asks for the time of the state. The answer with the shortest way counts, for a while: clocks drift. An answer that
   * differs by more than the errors counts at once: the clock of the state was set, or another server has its keys.
   */
  async #askTime(): Promise<void> {
    const askedAt = this.#clock.now();
    const at = await this.state.time();
    const error = (this.#clock.now() - askedAt) / 2;
    const { at: knownAt, clock, error: knownError } = this.#stateTime;
    const age = Math.max(0, askedAt + error - clock);
    const step = at - (knownAt + askedAt + error - clock);
    const isSet = Math.abs(step) > error + knownError + 1 + age * DRIFT;
    if (isSet) this.#log.warn('the clock of the shared state was set', { ms: Math.round(step) });
    if (isSet && step < 0) this.#lastTime = 0;
    const isOld = askedAt - clock >= TIME_MS;
    if (isSet || isOld || error <= knownError) this.#stateTime = { at, clock: askedAt + error, error };
  }

  #onBeat(): void {
    this.#publishBeat(false);
    this.#renew().catch((error: unknown) => this.#log.warn('this node could not renew its place', { error }));
    if (!this.state.isReachable) return;
    const now = this.#clock.now();
    for (const [name, { seenAt }] of this.#peers) {
      if (now - seenAt < DEAD_MS) continue;
      this.#silentListeners.call(name);
      this.#died(name, 'a node is silent');
    }
  }

  async #renew(): Promise<void> {
    const [isKept] = await this.state.prolong([markOf(this.node)], LISTED_MS);
    if (this.#hasLeft) return;
    await this.#register();
    await this.#askTime();
    // The mark may be stored without an answer. The loss is then announced at the next beat.
    if (isKept !== true) this.#hasLostKeys = true;
    if (!this.#hasLostKeys) return;
    if (isKept !== true) await this.state.set(markOf(this.node), '', LISTED_MS);
    if (this.#hasLeft) return;
    this.#hasLostKeys = false;
    this.#log.warn('the shared state has lost its keys: this node writes its own again');
    this.#lostListeners.call();
  }

  /** No node is silent for the time in which this one could not hear it. */
  #reachable(isReachable: boolean): void {
    if (this.#hasLeft) return;
    this.#log.warn(isReachable ? 'the shared state is reachable again' : 'the shared state cannot be reached');
    if (!isReachable) return;
    for (const peer of this.#peers.values()) peer.seenAt = this.#clock.now();
    this.#onBeat();
  }

  #rowsOf(nodes: readonly NodeName[]): Promise<void> {
    return new Promise((resolve) => {
      const limit = this.#clock.after(JOIN_MS, () => {
        this.#log.warn('this node starts without the tables of another node');
        done();
      });
      const done = () => {
        limit.cancel();
        this.#joined = () => undefined;
        resolve();
      };
      this.#joined = () => {
        if (nodes.every((node) => this.#peers.get(node)?.hasRows)) done();
      };
      this.#joined();
    });
  }

  #changed(row: Row): void {
    // Changes of one turn of the event loop share a message.
    if (this.#rows.length === 0) queueMicrotask(() => this.#flush());
    this.#rows.push(row);
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    this.#publishAll({ kind: 'rows', rows });
  }

  #publishAll(message: { kind: 'rows'; rows: Row[] } | { kind: 'message'; topic: string; body: unknown }): void {
    if (this.#hasLeft) return;
    this.#sent += 1;
    this.#publish(ALL, { from: this.node, seq: this.#sent, ...message } satisfies ToAll);
  }

  #publishBeat(isNew: boolean): void {
    this.#flush();
    const sent = Object.fromEntries([...this.#peers].map(([name, peer]) => [name, peer.counts.sent]));
    this.#publish(ALL, { kind: 'beat', from: this.node, seq: this.#sent, isNew, sent } satisfies ToAll);
  }

  #publishOne(node: NodeName, message: ToOne): void {
    this.#publish(channelOf(node), message);
  }

  #publish(channel: string, message: ToAll | ToOne): void {
    if (this.#hasLeft) return;
    this.state.publish(channel, JSON.stringify(message)).catch((error: unknown) => {
      // Receivers notice the gap, and ask for what they miss.
      this.#log.warn('a message to other nodes is lost', { error });
    });
  }

  #onAll(text: string): void {
    const message = readMessage(toAll, text);
    if (!message || message.from === this.node || this.#hasLeft) return;
    const { from } = message;
    if (message.kind === 'bye') return this.#died(from, 'a node has left');
    const peer = this.#peer(from);
    if (message.kind === 'beat') return this.#onSign(from, peer, message);
    const arrival = peer.counts.toAll.arrived(message.seq);
    if (message.kind === 'message') {
      if (arrival !== 'known') this.#deliver(message.topic, message.body, from);
    } else if (arrival === 'next' || arrival === 'ahead') {
      peer.since?.push({ seq: message.seq, rows: message.rows });
      this.#tables.apply(from, message.rows);
    }
    if (arrival === 'ahead') this.#want(from, peer);
  }

  #onSign(from: NodeName, peer: Peer, { seq, sent, isNew }: ToAll & { readonly kind: 'beat' }): void {
    if (isNew) this.#publishBeat(false);
    const { toAll: all, toHere } = peer.counts;
    const isBehind = seq > all.last;
    all.sentUpTo(seq);
    if (isBehind || !peer.hasRows || peer.since !== null) this.#want(from, peer);
    toHere.sentUpTo(sent[this.node] ?? 0);
    if (toHere.isMissing && peer.wasMissing) {
      toHere.forgive();
      this.#missedListeners.call(from);
    }
    peer.wasMissing = toHere.isMissing;
  }

  #onOne(text: string): void {
    const message = readMessage(toOne, text);
    if (!message || message.from === this.node || this.#hasLeft) return;
    const { from } = message;
    const peer = this.#peer(from);
    switch (message.kind) {
      case 'message':
        if (peer.counts.toHere.arrived(message.seq) !== 'known') this.#deliver(message.topic, message.body, from);
        return;
      case 'want rows':
        this.#flush();
        this.#publishOne(from, { kind: 'all rows', from: this.node, seq: 0, upTo: this.#sent, rows: this.#tables.own });
        return;
      case 'all rows':
        return this.#hasAllRows(from, peer, message);
      case 'question':
        void this.#replyOnce(message);
        return;
      case 'answer':
        return this.#questions.answered(message.id, message.isDone, message.body);
      default:
        return message satisfies never;
    }
  }

  #hasAllRows(from: NodeName, peer: Peer, { upTo, rows }: ToOne & { readonly kind: 'all rows' }): void {
    const since = peer.since;
    // It was not asked for, or is older than one that arrived.
    if (!since) return;
    peer.since = null;
    peer.hasRows = true;
    peer.counts.toAll.sentUpTo(upTo);
    this.#tables.replace(from, rows);
    for (const later of since) if (later.seq > upTo) this.#tables.apply(from, later.rows);
    this.#joined();
  }

  /** Answers a question, unless the answer to it is under way: the other node repeats its questions. */
  async #replyOnce(question: ToOne & { readonly kind: 'question' }): Promise<void> {
    const key = `${question.from} ${question.id}`;
    if (this.#underWay.has(key)) return;
    this.#underWay.add(key);
    await this.#reply(question).finally(() => this.#underWay.delete(key));
  }

  async #reply({ from, id, topic, body }: ToOne & { readonly kind: 'question' }): Promise<void> {
    const answerer = this.#answerers.get(topic);
    const head = { kind: 'answer', from: this.node, seq: 0, id } as const;
    if (!answerer) {
      // The part is not there: this node starts or stops. The other one repeats its question.
      this.#log.debug('no part answers a question of another node', { topic, node: from });
      return;
    }
    try {
      const answer = (await answerer(body, from)) ?? null;
      this.#publishOne(from, { ...head, isDone: true, body: answer });
    } catch (error) {
      if (error instanceof NotNow) return;
      this.#log.warn('a question of another node failed', { topic, node: from, error });
      this.#publishOne(from, { ...head, isDone: false, body: null });
    }
  }

  #deliver(topic: string, body: unknown, from: NodeName): void {
    this.#topics.get(topic)?.call(body, from);
  }

  #want(from: NodeName, peer: Peer): void {
    // A request that was lost is repeated at the next sign of life.
    peer.since ??= [];
    this.#publishOne(from, { kind: 'want rows', from: this.node, seq: 0 });
  }

  /** Returns a node that has sent something just now. */
  #peer(name: NodeName): Peer {
    const known = this.#peers.get(name);
    const now = this.#clock.now();
    if (known) {
      known.seenAt = now;
      return known;
    }
    const counts = this.#countsOf(name);
    const peer: Peer = { counts, seenAt: now, since: null, hasRows: false, wasMissing: false };
    this.#peers.set(name, peer);
    this.#log.info('a node has joined', { node: name });
    this.#nodeListeners.call(name, true);
    return peer;
  }

  #countsOf(name: NodeName): Counts {
    const counts = this.#counts.get(name) ?? { toAll: new Numbered(), toHere: new Numbered(), sent: 0 };
    this.#counts.set(name, counts);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= COUNTED) break;
      if (!this.#peers.has(oldest)) this.#counts.delete(oldest);
    }
    return counts;
  }

  #died(name: NodeName, why: string): void {
    if (!this.#peers.delete(name)) return;
    this.#log.warn(why, { node: name });
    this.#questions.died(name);
    this.#tables.replace(name, []);
    this.#nodeListeners.call(name, false);
  }
}
