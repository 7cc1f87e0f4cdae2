/** The shared state of the nodes of one process, in memory. */
import type { Clock, Timer } from '../../src/common/clock.ts';
import { MemoryKeys } from './memory-keys.ts';
import type { NodeName } from './node-link.ts';
import { Reachability } from './reachability.ts';
import {
  StateUnreachable,
  type FieldChange,
  type SharedBudget,
  type SharedState,
  type SharedWindow,
} from './shared-state.ts';

/** What travels between a node and the state: an operation, its answer, or a text of a channel. */
export type StateTransfer = 'operation' | 'answer' | 'text';

export interface MemoryStateOptions {
  readonly clock: Clock;
  /**
   * Carries a transfer from or to a node: runs `arrive` now or later. Not running it loses the transfer, running it
   * twice duplicates it. Default: runs it in the next microtask.
   */
  readonly transit?: (node: NodeName, arrive: () => void, transfer: StateTransfer) => void;
  /** An operation without an answer rejects after this time. Milliseconds. Default 2000. */
  readonly limitMs?: number;
}

/** A node that got no answer asks again after this time. Milliseconds. */
const PROBE_MS = 500;
const LIMIT_MS = 2_000;

/** The data that all nodes of a process share. It has no randomness: equal calls give equal answers. */
export class MemoryStateServer {
  readonly keys: MemoryKeys;
  readonly clock: Clock;
  readonly limitMs: number;
  readonly #transit: MemoryStateOptions['transit'];
  readonly #cutOff = new Set<NodeName>();
  readonly #views = new Set<MemoryState>();

  constructor({ clock, transit, limitMs = LIMIT_MS }: MemoryStateOptions) {
    this.clock = clock;
    this.limitMs = limitMs;
    this.#transit = transit;
    this.keys = new MemoryKeys(() => clock.now());
  }

  /**
   * Returns the shared state as a node sees it. The node closes it.
   *
   * @param clock - the clock of the node, which limits its operations. Default: the clock of the state.
   */
  connect(node: NodeName, clock: Clock = this.clock): SharedState {
    const view = new MemoryState(node, this, clock, (closed) => this.#views.delete(closed));
    this.#views.add(view);
    return view;
  }

  /** Loses all data, as a server that restarts without a copy on disk. */
  lose(): void {
    this.keys.clear();
  }

  /**
   * Closes the connections of a node, or lets it connect again. While it is cut off, its operations reject at once, and
   * it receives no text.
   */
  setReachable(node: NodeName, isReachable: boolean): void {
    if (isReachable) this.#cutOff.delete(node);
    else this.#cutOff.add(node);
    for (const view of [...this.#views]) if (view.node === node) view.connectionChanged();
  }

  isReachable(node: NodeName): boolean {
    return !this.#cutOff.has(node);
  }

  /** Whether transfers may be lost, so that operations need a limit. */
  get isLossy(): boolean {
    return this.#transit !== undefined;
  }

  carry(node: NodeName, arrive: () => void, transfer: StateTransfer): void {
    if (this.#transit) this.#transit(node, arrive, transfer);
    else queueMicrotask(arrive);
  }

  publish(channel: string, text: string): void {
    for (const view of [...this.#views]) {
      if (view.listensTo(channel)) this.carry(view.node, () => view.deliver(channel, text), 'text');
    }
  }
}

class MemoryState implements SharedState {
  readonly node: NodeName;
  readonly #server: MemoryStateServer;
  readonly #clock: Clock;
  readonly #closed: (view: MemoryState) => void;
  readonly #channels = new Map<string, Set<(text: string) => void>>();
  /** Rejects each operation in progress. */
  readonly #running = new Set<(reason: string) => void>();
  readonly #reachability: Reachability;
  #probe: Timer | null = null;
  #isClosed = false;

  constructor(node: NodeName, server: MemoryStateServer, clock: Clock, closed: (view: MemoryState) => void) {
    this.node = node;
    this.#server = server;
    this.#clock = clock;
    this.#closed = closed;
    this.#reachability = new Reachability(server.isReachable(node));
  }

  get isReachable(): boolean {
    return this.#reachability.isReachable;
  }

  onReachable(listener: (isReachable: boolean) => void): () => void {
    return this.#reachability.onChange(listener);
  }

  get(key: string): Promise<string | null> {
    return this.#run((keys) => keys.get(key));
  }

  set(key: string, value: string, lifeMs: number): Promise<void> {
    return this.#run((keys) => keys.set(key, value, lifeMs));
  }

  setAbsent(key: string, value: string, lifeMs: number): Promise<string | null> {
    return this.#run((keys) => keys.setAbsent(key, value, lifeMs));
  }

  remove(keys: readonly string[]): Promise<void> {
    return this.#run((all) => keys.forEach((key) => all.remove(key)));
  }

  prolong(keys: readonly string[], lifeMs: number): Promise<readonly boolean[]> {
    return this.#run((all) => keys.map((key) => all.prolong(key, lifeMs)));
  }

  fields(key: string): Promise<ReadonlyMap<string, string>> {
    return this.#run((keys) => keys.fields(key));
  }

  changeFields(key: string, change: FieldChange): Promise<boolean> {
    return this.#run((keys) => keys.changeFields(key, change));
  }

  time(): Promise<number> {
    return this.#run(() => this.#server.clock.wallTime());
  }

  charge(key: string, budget: SharedBudget, points: number): Promise<number> {
    return this.#run((keys) => keys.charge(key, budget, points));
  }

  count(key: string, window: SharedWindow, points: number): Promise<number> {
    return this.#run((keys) => keys.count(key, window, points));
  }

  append(key: string, entries: readonly string[], most: number, lifeMs: number): Promise<number> {
    return this.#run((keys) => keys.append(key, entries, most, lifeMs));
  }

  list(key: string): ReturnType<SharedState['list']> {
    return this.#run((keys) => keys.list(key));
  }

  publish(channel: string, text: string): Promise<void> {
    return this.#run(() => this.#server.publish(channel, text));
  }

  async subscribe(channel: string, receive: (text: string) => void): Promise<() => void> {
    // Two subscriptions of one function are two subscriptions.
    const own = (text: string) => receive(text);
    const end = () => this.#unsubscribe(channel, own);
    try {
      await this.#run(() => {
        this.#channels.set(channel, (this.#channels.get(channel) ?? new Set()).add(own));
      });
      return end;
    } catch (error) {
      // The operation may have arrived, and only its answer was lost.
      end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#probe?.cancel();
    this.#channels.clear();
    this.#reachability.clear();
    for (const reject of [...this.#running]) reject('the shared state is closed');
    this.#closed(this);
  }

  listensTo(channel: string): boolean {
    return this.#channels.has(channel);
  }

  deliver(channel: string, text: string): void {
    if (!this.#server.isReachable(this.node)) return;
    for (const receive of [...(this.#channels.get(channel) ?? [])]) receive(text);
  }

  /** Follows the state of the connection. The operations of a closed connection reject. */
  connectionChanged(): void {
    const isReachable = this.#server.isReachable(this.node);
    if (!isReachable) for (const reject of [...this.#running]) reject('the connection to the shared state is closed');
    this.#reachability.set(isReachable);
  }

  #run<T>(operate: (keys: MemoryKeys) => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StateUnreachable('the shared state is closed'));
    if (!this.#server.isReachable(this.node)) {
      return Promise.reject(new StateUnreachable('the shared state refused the connection'));
    }
    return new Promise<T>((resolve, reject) => {
      const settle = (): boolean => {
        limit?.cancel();
        return this.#running.delete(fail);
      };
      const fail = (reason: string) => {
        if (settle()) reject(new StateUnreachable(reason));
      };
      const limit = this.#server.isLossy ? this.#limit(fail) : null;
      this.#running.add(fail);
      const answer = (settled: () => void) =>
        this.#server.carry(this.node, () => void (settle() && settled()), 'answer');
      const arrive = () => {
        if (!this.#server.isReachable(this.node)) return;
        try {
          const value = operate(this.#server.keys);
          answer(() => resolve(value));
        } catch (error) {
          answer(() => reject(error));
        }
      };
      this.#server.carry(this.node, arrive, 'operation');
    });
  }

  #limit(fail: (reason: string) => void): Timer {
    const { limitMs } = this.#server;
    return this.#clock.after(limitMs, () => {
      fail(`the shared state did not answer within ${limitMs} ms`);
      this.#reachability.set(false);
      this.#probeLater();
    });
  }

  #unsubscribe(channel: string, receive: (text: string) => void): void {
    const listeners = this.#channels.get(channel);
    listeners?.delete(receive);
    if (listeners?.size === 0) this.#channels.delete(channel);
  }

  /** Asks again until the state answers. */
  #probeLater(): void {
    this.#probe?.cancel();
    this.#probe = this.#clock.after(PROBE_MS, () => {
      this.#run(() => undefined).then(
        () => this.#reachability.set(this.#server.isReachable(this.node)),
        () => this.#isClosed || this.#probeLater(),
      );
    });
  }
}
