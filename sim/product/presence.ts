import type { Presence } from '../../src/protocol/product/values.ts';
import type { PresenceChanged } from '../../src/protocol/product/events.ts';
import type { UserPresence } from '../exchange/exchange.ts';
import type { Clock } from '../exchange/ports.ts';

/** What the product needs to know of the exchange: who is reachable there, and who speaks. */
export interface CallingPresence {
  presenceOf(userId: string): UserPresence;
  onPresence(listener: (userId: string) => void): () => void;
}

type Listener = (change: PresenceChanged) => void;

/**
 * Who is online: whoever has the presence socket open, or a device on the calling service. Who speaks with somebody is in
 * a call.
 */
export class PresenceBoard {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #calling: CallingPresence;
  readonly #sockets = new Map<string, number>();
  readonly #lastSeen = new Map<string, number>();
  /** What was last told of each; who is not in it is offline. */
  readonly #told = new Map<string, Presence>();
  readonly #listeners = new Set<Listener>();
  readonly #stop: () => void;

  constructor(clock: Pick<Clock, 'now'>, calling: CallingPresence) {
    this.#clock = clock;
    this.#calling = calling;
    this.#stop = calling.onPresence((userId) => this.#review(userId));
  }

  /** A presence socket opened. Returns what to call when it closes. */
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

  /** Whether somebody has the presence socket open as this user. */
  isOpen(uId: string): boolean {
    return this.#sockets.has(uId);
  }

  of(uId: string): Presence {
    const calling = this.#calling.presenceOf(uId);
    if (calling === 'offline' && this.#sockets.has(uId)) return 'online';
    return calling;
  }

  /** Everybody who is not offline, in no order. */
  here(): string[] {
    return [...this.#told.keys()];
  }

  /** When somebody who is away was last here, milliseconds since the epoch; null for the present and the never seen. */
  lastSeenAt(uId: string): number | null {
    return this.of(uId) === 'offline' ? (this.#lastSeen.get(uId) ?? null) : null;
  }

  /** Tells the listener of every change. Returns the undo. */
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
    if (presence === (this.#told.get(uId) ?? 'offline')) return;
    if (presence === 'offline') {
      this.#told.delete(uId);
      this.#lastSeen.set(uId, this.#clock.now());
    } else {
      this.#told.set(uId, presence);
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
