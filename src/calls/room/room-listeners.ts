import { callHost } from '../host/call-host.ts';
import type { Logger } from '../logging/log.ts';
import type { RoomEventMap, RoomListener } from './room.ts';

type Name = keyof RoomEventMap;
type Listeners = { [T in Name]?: readonly Entry<T>[] };

interface Entry<T extends Name> {
  readonly listener: RoomListener<T>;
  readonly once: boolean;
}

/**
 * The listeners of a room, in the order in which they were added. Hosts add the same listener again and never remove it,
 * so it may be in the list more than once.
 */
export class RoomListeners {
  readonly #log: Pick<Logger, 'error'>;
  #listeners: Listeners = {};

  constructor(log: Pick<Logger, 'error'>) {
    this.#log = log;
  }

  get isEmpty(): boolean {
    return Object.values(this.#listeners).every((entries) => entries.length === 0);
  }

  add<T extends Name>(event: T, listener: RoomListener<T>, once: boolean): void {
    this.#set(event, [...this.#of(event), { listener, once }]);
  }

  /** Removes a listener, the last added first. */
  remove<T extends Name>(event: T, listener: RoomListener<T>): void {
    const entries = this.#of(event);
    const last = entries.map((entry) => entry.listener).lastIndexOf(listener);
    this.#set(
      event,
      entries.filter((_, at) => at !== last),
    );
  }

  /** Removes the listeners of an event. Without an event: all. */
  removeAll(event?: Name): void {
    if (event === undefined) this.#listeners = {};
    else this.#set(event, []);
  }

  /** Runs the listeners of an event. One that throws is logged, and affects no other. */
  emit<T extends Name>(event: T, ...args: RoomEventMap[T]): void {
    const entries = this.#of(event);
    if (entries.some(({ once }) => once)) {
      this.#set(
        event,
        entries.filter(({ once }) => !once),
      );
    }
    for (const { listener } of entries) callHost(this.#log, `the listener of ${event}`, listener, ...args);
  }

  #of<T extends Name>(event: T): readonly Entry<T>[] {
    // A name of the host may be anything.
    return Object.hasOwn(this.#listeners, event) ? (this.#listeners[event] ?? []) : [];
  }

  #set<T extends Name>(event: T, entries: readonly Entry<T>[]): void {
    this.#listeners = { ...this.#listeners, [event]: entries };
  }
}
