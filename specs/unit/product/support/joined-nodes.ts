/** Nodes of a cluster in one process: links over a bus and a shared state in memory. A test cuts and kills nodes. */
import type { Clock } from '../../../../src/common/clock.ts';
import type { Answerer, NodeLink, NodeName, SharedTable } from '../../../../sim/cluster/node-link.ts';
import { MemoryStateServer } from '../../../../sim/cluster/memory-state.ts';
import type { SharedState } from '../../../../sim/cluster/shared-state.ts';

type Listeners<Arguments extends unknown[]> = Set<(...given: Arguments) => void>;

const add = <Arguments extends unknown[]>(all: Listeners<Arguments>, one: (...given: Arguments) => void) => {
  all.add(one);
  return () => void all.delete(one);
};
const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

class FakeTable implements SharedTable {
  readonly own = new Map<string, string>();
  readonly others = new Map<NodeName, Map<string, string>>();
  readonly #listeners: Listeners<[string, NodeName]> = new Set();
  readonly #send: (key: string, value: string | null) => void;

  constructor(send: (key: string, value: string | null) => void) {
    this.#send = send;
  }

  set(key: string, value: string | null): void {
    if (value === null) this.own.delete(key);
    else this.own.set(key, value);
    this.#send(key, value);
  }

  elsewhere(key: string): ReadonlyMap<NodeName, string> {
    const found = [...this.others].flatMap(([node, entries]): [NodeName, string][] => {
      const value = entries.get(key);
      return value === undefined ? [] : [[node, value]];
    });
    return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  keysElsewhere(): Iterable<string> {
    return new Set([...this.others.values()].flatMap((entries) => [...entries.keys()]));
  }

  onChange(listener: (key: string, node: NodeName) => void): () => void {
    return add(this.#listeners, listener);
  }

  change(node: NodeName, key: string, value: string | null): void {
    const entries = this.others.get(node) ?? new Map<string, string>();
    this.others.set(node, entries);
    if (value === null) entries.delete(key);
    else entries.set(key, value);
    for (const listener of [...this.#listeners]) listener(key, node);
  }
}

/** The link of one node. */
export class FakeLink implements NodeLink {
  readonly node: NodeName;
  readonly state: SharedState;
  readonly tables = new Map<string, FakeTable>();
  readonly nodeListeners: Listeners<[NodeName, boolean]> = new Set();
  readonly missedListeners: Listeners<[NodeName]> = new Set();
  readonly lostListeners: Listeners<[]> = new Set();
  readonly receivers = new Map<string, Listeners<[unknown, NodeName]>>();
  readonly answerers = new Map<string, Answerer>();
  readonly #nodes: JoinedNodes;

  constructor(node: NodeName, nodes: JoinedNodes, state: SharedState) {
    this.node = node;
    this.#nodes = nodes;
    this.state = state;
  }

  get others(): readonly NodeName[] {
    return this.#nodes.alive.filter((node) => node !== this.node).toSorted();
  }

  isAlive(node: NodeName): boolean {
    return this.#nodes.alive.includes(node);
  }

  onNode(listener: (node: NodeName, isAlive: boolean) => void): () => void {
    return add(this.nodeListeners, listener);
  }

  onMissed(listener: (node: NodeName) => void): () => void {
    return add(this.missedListeners, listener);
  }

  onLost(listener: () => void): () => void {
    return add(this.lostListeners, listener);
  }

  table(name: string): FakeTable {
    const known = this.tables.get(name);
    if (known) return known;
    const made = new FakeTable((key, value) =>
      this.#nodes.spread(this.node, (link) => link.table(name).change(this.node, key, value)),
    );
    this.tables.set(name, made);
    return made;
  }

  broadcast(topic: string, message: unknown): void {
    const sent = copied(message);
    this.#nodes.sent.push({ from: this.node, topic, message: sent });
    this.#nodes.spread(this.node, (link) => link.heard(topic, sent, this.node));
  }

  send(node: NodeName, topic: string, message: unknown): void {
    const sent = copied(message);
    this.#nodes.sent.push({ from: this.node, topic, message: sent });
    this.#nodes.spread(this.node, (link) => link.node === node && link.heard(topic, sent, this.node));
  }

  receive(topic: string, receive: (message: unknown, from: NodeName) => void): () => void {
    const all = this.receivers.get(topic) ?? new Set();
    this.receivers.set(topic, all);
    return add(all, receive);
  }

  async ask(node: NodeName, topic: string, question: unknown): Promise<unknown> {
    const link = this.#nodes.links.get(node);
    const answerer = link?.answerers.get(topic);
    await Promise.resolve();
    if (!answerer || !this.isAlive(node) || !this.#nodes.areJoined(this.node, node)) throw new Error('no answer');
    return copied(await answerer(copied(question), this.node));
  }

  answer(topic: string, answerer: Answerer): () => void {
    this.answerers.set(topic, answerer);
    return () => void this.answerers.delete(topic);
  }

  heard(topic: string, message: unknown, from: NodeName): void {
    for (const receive of [...(this.receivers.get(topic) ?? [])]) receive(message, from);
  }
}

export class JoinedNodes {
  readonly links = new Map<NodeName, FakeLink>();
  /** The messages that nodes have sent to others. */
  readonly sent: { readonly from: NodeName; readonly topic: string; readonly message: unknown }[] = [];
  readonly #dead = new Set<NodeName>();
  readonly #cut = new Set<NodeName>();
  readonly state: MemoryStateServer;
  /** The deliveries that wait, while the test holds them. Null while they are not held. */
  #held: (() => void)[] | null = null;

  constructor(clock: Clock) {
    this.state = new MemoryStateServer({ clock });
  }

  get alive(): NodeName[] {
    return [...this.links.keys()].filter((node) => !this.#dead.has(node));
  }

  join(node: NodeName): FakeLink {
    const link = new FakeLink(node, this, this.state.connect(node));
    for (const other of this.links.values()) {
      if (this.#dead.has(other.node)) continue;
      for (const [name, table] of other.tables) link.table(name).others.set(other.node, new Map(table.own));
      for (const listener of other.nodeListeners) listener(node, true);
    }
    this.links.set(node, link);
    return link;
  }

  /** Ends a node without a word. The others learn it at once. */
  kill(node: NodeName): void {
    this.#dead.add(node);
    for (const link of this.links.values()) {
      if (this.#dead.has(link.node)) continue;
      for (const listener of link.nodeListeners) listener(node, false);
      for (const table of link.tables.values()) {
        for (const key of [...(table.others.get(node)?.keys() ?? [])]) table.change(node, key, null);
      }
    }
  }

  /** Cuts a node off from the shared state and the bus. */
  cut(node: NodeName): void {
    this.#cut.add(node);
    this.state.setReachable(node, false);
  }

  /** Ends a cut. The tables are synchronized first, as the port says. */
  heal(node: NodeName): void {
    this.#cut.delete(node);
    const healed = this.links.get(node);
    for (const other of this.links.values()) {
      if (!healed || other === healed || this.#dead.has(other.node)) continue;
      for (const [from, to] of [
        [other, healed],
        [healed, other],
      ] as const) {
        for (const [name, table] of from.tables) {
          const known = to.table(name).others.get(from.node) ?? new Map<string, string>();
          for (const key of known.keys()) if (!table.own.has(key)) to.table(name).change(from.node, key, null);
          for (const [key, value] of table.own) to.table(name).change(from.node, key, value);
        }
      }
    }
    this.state.setReachable(node, true);
  }

  /** Holds messages between nodes until {@link release}. */
  hold(): void {
    this.#held ??= [];
  }

  /** Delivers the held messages, in an order that the test may change. */
  release(order: (held: (() => void)[]) => (() => void)[] = (held) => held): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const deliver of order(held)) deliver();
  }

  /** Drops the held messages. */
  lose(): void {
    this.#held = null;
  }

  /** Lets a node notice that messages of another one were lost. */
  noticeLoss(node: NodeName, of: NodeName): void {
    for (const listener of this.links.get(node)?.missedListeners ?? []) listener(of);
  }

  /** Lets a node notice that the shared state has lost its keys. */
  noticeLostState(node: NodeName): void {
    for (const listener of this.links.get(node)?.lostListeners ?? []) listener();
  }

  areJoined(one: NodeName, other: NodeName): boolean {
    return ![one, other].some((node) => this.#cut.has(node) || this.#dead.has(node));
  }

  spread(from: NodeName, deliver: (link: FakeLink) => void): void {
    for (const link of this.links.values()) {
      if (link.node === from) continue;
      const run = (): void => {
        if (this.areJoined(from, link.node)) deliver(link);
      };
      if (this.#held) this.#held.push(run);
      else queueMicrotask(run);
    }
  }
}

/** Resolves when all messages and operations in progress have arrived. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
