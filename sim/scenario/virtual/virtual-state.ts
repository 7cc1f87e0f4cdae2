import { MemoryStateServer } from '../../cluster/memory-state.ts';
import type { SharedState } from '../../cluster/shared-state.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { LATENCY_MS } from '../../virtual/transit.ts';
import type { Pause } from './pause.ts';

/** A process that uses the state. */
export interface StateUser {
  /** Its name in the cluster. Each start of a node has another one. */
  readonly process: string;
  /** The name of its node. */
  readonly node: string;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** What happens to a message of the bus on its way to one node. Undefined: nothing. */
export type BusFate = 'drop' | 'duplicate' | { readonly delayMs: number } | undefined;

/** A fault of the bus: it decides for each message and each receiver, by the names of the nodes. */
export type BusRule = (from: string, to: string) => BusFate;

/**
 * The shared state of the nodes, with its faults. An operation takes effect at once, and its answer takes a millisecond.
 * So a node can be killed, cut off or paused between the two.
 */
export class VirtualState {
  readonly #clock: Clock;
  readonly #server: MemoryStateServer;
  readonly #users = new Map<string, StateUser>();
  readonly #cutOff = new Set<string>();
  readonly #rules = new Set<BusRule>();
  /** The node whose operation takes effect now. */
  #sender = '';
  #slownessMs = 0;
  #isDown = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#server = new MemoryStateServer({
      clock,
      transit: (process, arrive, transfer) => {
        const user = this.#users.get(process);
        if (!user || this.#cutOff.has(user.node)) return;
        if (transfer === 'operation') queueMicrotask(() => this.#operate(user, arrive));
        else this.#deliver(user, arrive, transfer === 'text' ? this.#fateOf(user) : undefined);
      },
    });
  }

  /** Connects a process. The process closes its connection. */
  connect(user: StateUser): SharedState {
    this.#users.set(user.process, user);
    if (this.#isDown) this.#server.setReachable(user.process, false);
    return this.#server.connect(user.process, user.clock);
  }

  /** Forgets a process that has ended. */
  forget(process: string): void {
    this.#users.delete(process);
  }

  /** Loses everything between a node and the state, in both directions. */
  cutOff(node: string): void {
    this.#cutOff.add(node);
  }

  reconnect(node: string): void {
    this.#cutOff.delete(node);
  }

  /** Refuses all connections, or accepts them again. */
  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    for (const process of this.#users.keys()) this.#server.setReachable(process, !isDown);
  }

  /** Loses all data. */
  lose(): void {
    this.#server.lose();
  }

  /** Delays each answer and each text by this time. Milliseconds. */
  setSlowness(ms: number): void {
    this.#slownessMs = ms;
  }

  /** Adds a rule for messages of the bus. The first one that applies decides. Returns the function that removes it. */
  addBusRule(rule: BusRule): () => void {
    this.#rules.add(rule);
    return () => this.#rules.delete(rule);
  }

  /** The keys that hold data. */
  get keys(): readonly string[] {
    return this.#server.keys.names;
  }

  #operate(user: StateUser, arrive: () => void): void {
    this.#sender = user.node;
    arrive();
    this.#sender = '';
  }

  #deliver(user: StateUser, arrive: () => void, fate: BusFate): void {
    if (fate === 'drop') return;
    const lateMs = typeof fate === 'object' ? fate.delayMs : 0;
    const copies = fate === 'duplicate' ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      this.#clock.after(LATENCY_MS + this.#slownessMs + lateMs, () => {
        if (this.#cutOff.has(user.node) || !this.#users.has(user.process)) return;
        user.pause.pass(arrive);
      });
    }
  }

  #fateOf(receiver: StateUser): BusFate {
    for (const rule of this.#rules) {
      const fate = rule(this.#sender, receiver.node);
      if (fate !== undefined) return fate;
    }
    return undefined;
  }
}
