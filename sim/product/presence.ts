import type { Presence } from '../../src/protocol/product/values.ts';
import type { PresenceChanged } from '../../src/protocol/product/events.ts';
import type { Clock } from '../../src/common/clock.ts';
import type { CallingService } from './calling-service.ts';

/** The part of the exchange that presence needs: the connected users, and those in a call. */
type CallingPresence = Pick<CallingService, 'presenceOf' | 'subscribe'>;

type Listener = (change: PresenceChanged) => void;

/**
 * The presence of users. A user with an open presence socket or a connected calling device is online. A user who talks
 * in a call is in a call.
 */
export class PresenceBoard {
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #calling: CallingPresence;
  readonly #sockets = new Map<string, number>();
  readonly #lastSeen = new Map<string, number>();
  /** The last presence that was sent of each user. Absent users are offline. */
  readonly #sent = new Map<string, Presence>();
  readonly #listeners = new Set<Listener>();
  readonly #stop: () => void;

  constructor(clock: Pick<Clock, 'wallTime'>, calling: CallingPresence) {
    this.#clock = clock;
    this.#calling = calling;
    this.#stop = calling.subscribe((event) => {
      if (event.kind === 'presence') this.#review(event.userId);
    });
  }

  /** Counts a presence socket as open. Returns the function to call when it closes. */
  open(uId: string): () => void {
    let isOpen = true;
    this.#sockets.set(uId, (this.#sockets.get(uId) ?? 0) + 1);
    this.#review(uId);
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#sockets.get(uId) ?? 1) - 1;
      if (left > 0) this.#sockets.set(uId, left);
      else this.#sockets.delete(uId);
      this.#review(uId);
    };
  }

  /** Returns whether a presence socket of this user is open. */
  isOpen(uId: string): boolean {
    return this.#sockets.has(uId);
  }

  of(uId: string): Presence {
    const calling = this.#calling.presenceOf(uId);
    if (calling === 'offline' && this.#sockets.has(uId)) return 'online';
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

  dispose(): void {
    this.#stop();
    this.#listeners.clear();
  }

  #review(uId: string): void {
    const presence = this.of(uId);
    if (presence === (this.#sent.get(uId) ?? 'offline')) return;
    if (presence === 'offline') {
      this.#sent.delete(uId);
      this.#lastSeen.set(uId, this.#clock.wallTime());
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
