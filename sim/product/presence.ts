import * as v from 'valibot';
import type { Clock, Timer } from '../../src/common/clock.ts';
import type { PresenceChanged } from '../../src/protocol/product/events.ts';
import type { Presence } from '../../src/protocol/product/values.ts';
import type { NodeLink, NodeName, SharedTable } from '../cluster/node-link.ts';
import type { CallingService } from './calling-service.ts';

/** The part of the exchange that presence needs: the connected users, and those in a call. */
type CallingPresence = Pick<CallingService, 'presenceOf' | 'subscribe'>;

type Listener = (change: PresenceChanged) => void;

/**
 * The time in which a user whose node died may reconnect and stays online. Pages spread their attempts over 10 s.
 * Milliseconds.
 */
const RECONNECT_MS = 20_000;
/** The most times of last visits that a node reads from another one when it starts. The latest are read. */
const SEEN = 10_000;

const seenTimes = v.pipe(v.array(v.tuple([v.string(), v.number()])), v.maxLength(SEEN));

/**
 * The presence of users. A user with an open presence socket or a connected calling device is online. A user who talks
 * in a call is in a call. Sockets and devices at all nodes of a cluster count, so every node has the same presence.
 */
export class PresenceBoard {
  readonly #clock: Pick<Clock, 'wallTime' | 'after'>;
  readonly #calling: CallingPresence;
  readonly #link: NodeLink | null;
  /** The presence sockets of each node. Null without a cluster. */
  readonly #shared: SharedTable | null;
  readonly #sockets = new Map<string, number>();
  /** The time of the last visit of each user, the latest at the end. Milliseconds since the epoch. */
  readonly #lastSeen = new Map<string, number>();
  /** The last presence that was sent of each user. Absent users are offline. */
  readonly #sent = new Map<string, Presence>();
  /** The users whose node died, and who may reconnect. */
  readonly #awaited = new Map<string, Timer>();
  /** The users whose sockets this node has closed because it stops. They may reconnect elsewhere. */
  readonly #moving = new Map<string, Timer>();
  #isStopping = false;
  readonly #listeners = new Set<Listener>();
  readonly #stops: (() => void)[] = [];

  /** @param link - the other nodes. Null without a cluster. */
  constructor(clock: Pick<Clock, 'wallTime' | 'after'>, calling: CallingPresence, link: NodeLink | null = null) {
    this.#clock = clock;
    this.#calling = calling;
    this.#link = link;
    this.#shared = link?.table('presence sockets') ?? null;
    this.#stops.push(
      calling.subscribe((event) => {
        if (event.kind === 'presence') this.#review(event.userId);
      }),
    );
    if (link) this.#join(link);
  }

  /** Counts a presence socket as open. Returns the function to call when it closes. */
  open(uId: string): () => void {
    let isOpen = true;
    this.#count(uId, 1);
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#count(uId, -1);
    };
  }

  /** Returns whether a presence socket of this user is open. */
  isOpen(uId: string): boolean {
    return this.#sockets.has(uId) || (this.#shared?.elsewhere(uId).size ?? 0) > 0;
  }

  /** Counts the open presence sockets of a user. */
  socketsOf(uId: string): number {
    const elsewhere = [...(this.#shared?.elsewhere(uId).values() ?? [])].map(Number);
    return elsewhere.reduce((sum, count) => sum + count, this.#sockets.get(uId) ?? 0);
  }

  of(uId: string): Presence {
    const calling = this.#calling.presenceOf(uId);
    if (calling === 'offline' && (this.isOpen(uId) || this.#awaited.has(uId))) return 'online';
    return calling;
  }

  /** Returns all users who are not offline, in no order. */
  presentUsers(): string[] {
    return [...this.#sent.keys()];
  }

  /**
   * Returns when an absent user was last here. Milliseconds since the epoch. Null for a present user, or one who was
   * never seen.
   */
  lastSeenAt(uId: string): number | null {
    return this.of(uId) === 'offline' ? (this.#lastSeen.get(uId) ?? null) : null;
  }

  /** Calls the listener on every change. Returns the function that removes it. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Prepares the stop of this node: its users stay online elsewhere for a time in which they may reconnect. */
  drain(): void {
    this.#isStopping = true;
  }

  dispose(): void {
    for (const stop of this.#stops.splice(0)) stop();
    for (const timer of [...this.#awaited.values(), ...this.#moving.values()]) timer.cancel();
    this.#awaited.clear();
    this.#moving.clear();
    this.#listeners.clear();
  }

  #count(uId: string, change: 1 | -1): void {
    const left = (this.#sockets.get(uId) ?? 0) + change;
    if (left > 0) this.#sockets.set(uId, left);
    else this.#sockets.delete(uId);
    this.#moving.get(uId)?.cancel();
    this.#moving.delete(uId);
    if (left > 0) this.#shared?.set(uId, String(left));
    else if (this.#isStopping) this.#leaveLater(uId);
    else this.#shared?.set(uId, null);
    this.#stopAwaiting(uId);
    this.#review(uId);
  }

  /** Reports to the other nodes that a user has no socket here, after the time to reconnect. */
  #leaveLater(uId: string): void {
    const over = (): void => {
      this.#moving.delete(uId);
      this.#shared?.set(uId, null);
    };
    this.#moving.set(uId, this.#clock.after(RECONNECT_MS, over));
  }

  /** Follows the presence sockets of the other nodes. */
  #join(link: NodeLink): void {
    const shared = link.table('presence sockets');
    for (const uId of shared.keysElsewhere()) this.#review(uId);
    this.#stops.push(
      shared.onChange((uId, node) => this.#changedElsewhere(uId, node)),
      link.answer('product last seen', () => [...this.#lastSeen].slice(-SEEN)),
    );
    this.#readLastSeen(link);
  }

  #changedElsewhere(uId: string, node: NodeName): void {
    const hasDied = this.#link?.isAlive(node) === false;
    if (hasDied && this.of(uId) === 'offline' && this.#sent.has(uId)) {
      const over = (): void => {
        this.#awaited.delete(uId);
        this.#review(uId);
      };
      this.#awaited.set(uId, this.#clock.after(RECONNECT_MS, over));
    } else if (!hasDied) this.#stopAwaiting(uId);
    this.#review(uId);
  }

  #stopAwaiting(uId: string): void {
    this.#awaited.get(uId)?.cancel();
    this.#awaited.delete(uId);
  }

  /** Reads from one other node when absent users were last here. Asks the next node when one does not answer. */
  #readLastSeen(link: NodeLink): void {
    let isDone = false;
    const ask = async (node: NodeName): Promise<void> => {
      if (isDone) return;
      const answer = v.safeParse(seenTimes, await link.ask(node, 'product last seen', null).catch(() => null));
      if (isDone || !answer.success) return;
      isDone = true;
      const own = [...this.#lastSeen];
      this.#lastSeen.clear();
      for (const [uId, at] of [...answer.output, ...own]) this.#sawLast(uId, at);
    };
    void (async () => {
      for (const node of link.others) await ask(node);
    })();
    // The link may learn of the other nodes later.
    this.#stops.push(link.onNode((node, isAlive) => void (isAlive && ask(node))));
  }

  #sawLast(uId: string, at: number): void {
    this.#lastSeen.delete(uId);
    this.#lastSeen.set(uId, at);
  }

  #review(uId: string): void {
    const presence = this.of(uId);
    if (presence === (this.#sent.get(uId) ?? 'offline')) return;
    if (presence === 'offline') {
      this.#sent.delete(uId);
      this.#sawLast(uId, this.#clock.wallTime());
    } else {
      this.#sent.set(uId, presence);
    }
    const change: PresenceChanged = {
      type: 'presence_changed',
      u_id: uId,
      presence,
      last_seen_at: this.lastSeenAt(uId),
    };
    for (const listener of [...this.#listeners]) listener(change);
  }
}
