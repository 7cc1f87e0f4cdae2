import type { Clock, Timer } from '../../src/common/clock.ts';
import type { ClusterHost } from '../exchange/cluster.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { NodeName, SharedTable } from './node-link.ts';
import { DEAD_MS, type OpenLink } from './open-link.ts';
import type { SharedLiveCalls } from './shared-live-calls.ts';

/** The delay before a failed adoption is tried again. Milliseconds. */
const AGAIN_MS = 2_000;
/** The interval in which a sign of life that has not expired is looked at. Milliseconds. */
const LOOK_MS = 500;

/**
 * The time after which a call is adopted that no device asks for, so that it ends. Its node may only be cut off from the
 * state, with its devices. Milliseconds.
 */
export const UNASKED_MS = 10 * 60_000;

/** A live call whose node has died. */
interface Orphan {
  readonly callId: string;
  readonly node: NodeName;
  readonly users: readonly string[];
}

/** What became of a call whose node has died: this node has it, another node has it, or none has it. */
export type Found = 'here' | 'nowhere' | { readonly at: NodeName };

export interface AdoptionParts {
  readonly link: OpenLink;
  readonly live: SharedLiveCalls;
  readonly clock: Clock;
  readonly log: Log;
  /** The calls that nodes have adopted, by id. */
  readonly adopted: SharedTable;
  /** Returns whether a device of the user is connected to this node. */
  readonly isHere: (userId: string) => boolean;
  /** The longest time for which lists of calls wait for the calls of a silent node. Milliseconds. */
  readonly patienceMs: number;
}

/**
 * The calls of nodes that have died. A call is adopted when one of its users is connected here, and after a while by
 * any node. The devices of a node that is only cut off from the state are still connected to it, so no device asks for
 * most of its calls.
 */
export class Adoption {
  readonly #parts: AdoptionParts;
  readonly #host: ClusterHost;
  readonly #orphans = new Map<string, Orphan>();
  /**
   * The silent nodes whose calls this node does not know, and since when, by the monotonic clock: they may be alive, or
   * the state did not answer.
   */
  readonly #unread = new Map<NodeName, number>();
  /** The adoptions in progress, by call. */
  readonly #claims = new Map<string, Promise<Found>>();
  /** The loads of the calls of dead nodes in progress. */
  readonly #loads = new Map<NodeName, Promise<void>>();
  readonly #timers = new Map<NodeName, Timer>();
  /** The waits for a sign of life to expire. */
  readonly #looks = new Set<Timer>();
  #isOver = false;

  constructor(parts: AdoptionParts, host: ClusterHost) {
    this.#parts = parts;
    this.#host = host;
  }

  /** Begins to load the calls of the nodes that died before this one started. {@link adoptFor} waits for the end. */
  async start(): Promise<void> {
    for (const node of await this.#parts.link.dead()) void this.died(node);
  }

  /** Loads the calls of a node that has died, and adopts those whose users are here. Never rejects. */
  died(node: NodeName): Promise<void> {
    const load = (this.#loads.get(node) ?? this.#load(node)).finally(() => this.#loads.delete(node));
    this.#loads.set(node, load);
    return load;
  }

  /** Records that a node is alive after all, so it has its calls. */
  returned(node: NodeName): void {
    this.#timers.get(node)?.cancel();
    this.#timers.delete(node);
    this.#unread.delete(node);
    for (const [callId, orphan] of this.#orphans) if (orphan.node === node) this.#orphans.delete(callId);
  }

  /**
   * Adopts the calls of a user that no node has adopted yet. Returns whether the node of each call of the user is known
   * then, except for calls of a node that has been silent for longer than the patience. Never rejects.
   */
  async adoptFor(userId: string): Promise<boolean> {
    const isAwaited = (node: NodeName) => this.#silenceOf(node) < this.#parts.patienceMs;
    await Promise.all([...this.#loads].flatMap(([node, load]) => (isAwaited(node) ? [load] : [])));
    const theirs = () => [...this.#orphans.values()].filter(({ users }) => users.includes(userId));
    await Promise.all(theirs().map((orphan) => this.#tryAdopt(orphan)));
    return ![...this.#unread.keys()].some(isAwaited) && theirs().length === 0;
  }

  /** Returns for how long the calls of a silent node have been unknown. Milliseconds, 0 for any other node. */
  #silenceOf(node: NodeName): number {
    const now = this.#parts.clock.now();
    return now - (this.#unread.get(node) ?? now);
  }

  /** Finds a call of a dead node, and adopts it. Rejects when the state cannot be reached. */
  async find(callId: string, node: NodeName): Promise<Found> {
    await this.#loads.get(node);
    return this.#adopt(this.#orphans.get(callId) ?? { callId, node, users: [] });
  }

  /** Waits for an adoption of the call by this node that is in progress. Rejects when it fails. */
  async underWay(callId: string): Promise<void> {
    await this.#claims.get(callId);
  }

  dispose(): void {
    this.#isOver = true;
    for (const timer of [...this.#timers.values(), ...this.#looks]) timer.cancel();
    this.#timers.clear();
  }

  async #load(node: NodeName): Promise<void> {
    const { link, live, clock, log, isHere } = this.#parts;
    if (!this.#unread.has(node)) this.#unread.set(node, clock.now());
    try {
      // The bus may have lost its messages. While it lives, it may begin and adopt calls.
      const isDead = await this.isDead(node);
      const owned = isDead ? await live.ownedBy(node) : null;
      if (this.#isOver || link.isAlive(node)) return void this.#unread.delete(node);
      if (owned === null) return this.#later(node, AGAIN_MS, () => void this.died(node));
      this.#unread.delete(node);
      for (const [callId, users] of owned) this.#orphans.set(callId, { callId, node, users });
      if (owned.size === 0) return await link.forget(node);
      log.warn('a node has died with live calls', { node, calls: owned.size });
      this.#later(node, UNASKED_MS, () => void this.#adoptAll(node));
      const asked = [...this.#orphans.values()].filter((one) => one.node === node && one.users.some(isHere));
      await Promise.all(asked.map((orphan) => this.#tryAdopt(orphan)));
    } catch (error) {
      log.error('the calls of a node that has died could not be read', { node, error });
      this.#later(node, AGAIN_MS, () => void this.died(node));
    }
  }

  /** Adopts what no device has asked for: the silence of the devices ends those calls. */
  async #adoptAll(node: NodeName): Promise<void> {
    const left = [...this.#orphans.values()].filter((orphan) => orphan.node === node);
    await Promise.all(left.map((orphan) => this.#tryAdopt(orphan)));
    const { link, live, log } = this.#parts;
    try {
      if ((await live.ownedBy(node)).size === 0 && !link.isAlive(node)) await link.forget(node);
    } catch (error) {
      log.warn('a dead node stays in the list', { node, error });
    }
  }

  async #tryAdopt(orphan: Orphan): Promise<void> {
    try {
      await this.#adopt(orphan);
    } catch (error) {
      const { log } = this.#parts;
      log.error('a call could not be adopted', { call: orphan.callId, error });
      this.#later(orphan.node, AGAIN_MS, () => void this.died(orphan.node));
    }
  }

  #adopt(orphan: Orphan): Promise<Found> {
    const { callId } = orphan;
    const claim = this.#claims.get(callId) ?? this.#claim(orphan).finally(() => this.#claims.delete(callId));
    this.#claims.set(callId, claim);
    return claim;
  }

  async #claim({ callId, node }: Orphan): Promise<Found> {
    const { live, link, adopted } = this.#parts;
    if (this.#host.hasCall(callId)) return 'here';
    const claimed = await live.claim(callId, async (other) => !(await this.isDead(other)));
    if (this.#isOver) return 'nowhere';
    if (claimed.is === 'taken' && claimed.by !== link.node && !link.isAlive(claimed.by)) {
      this.#later(claimed.by, AGAIN_MS, () => void this.died(claimed.by));
      return { at: claimed.by };
    }
    this.#orphans.delete(callId);
    if (claimed.is === 'taken') return claimed.by === link.node ? 'here' : { at: claimed.by };
    if (claimed.is === 'mine') {
      if (this.#host.adopt(claimed.kept)) {
        adopted.set(callId, '');
        await live.list(claimed.kept);
      } else {
        await live.forget([callId]);
      }
    }
    await live.disown(node, callId);
    return claimed.is === 'mine' ? 'here' : 'nowhere';
  }

  /**
   * Returns whether a silent node is dead. The bus may have lost its messages: it still acts on its calls until its sign
   * of life has expired.
   */
  async isDead(node: NodeName): Promise<boolean> {
    const { link, clock } = this.#parts;
    const until = clock.now() + DEAD_MS + LOOK_MS;
    while (!link.isAlive(node) && !this.#isOver) {
      if (await link.isGone(node)) return true;
      if (clock.now() >= until) return false;
      await new Promise<void>((resolve) => {
        const timer = clock.after(LOOK_MS, () => {
          this.#looks.delete(timer);
          resolve();
        });
        this.#looks.add(timer);
      });
    }
    return false;
  }

  #later(node: NodeName, ms: number, run: () => void): void {
    if (this.#isOver) return;
    this.#timers.get(node)?.cancel();
    this.#timers.set(
      node,
      this.#parts.clock.after(ms, () => {
        this.#timers.delete(node);
        run();
      }),
    );
  }
}
