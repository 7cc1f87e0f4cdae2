import type { Writable } from 'node:stream';

/**
 * Joins what sockets send in one turn of the event loop: each socket then costs the system one write for the turn, not
 * one for each frame.
 */
export class TurnWrites {
  readonly #held = new Set<Writable>();

  /** Holds the data of a socket until the end of this turn. Call it before each write. */
  hold(socket: Writable): void {
    if (this.#held.has(socket)) return;
    if (this.#held.size === 0) setImmediate(() => this.#end());
    this.#held.add(socket);
    socket.cork();
  }

  /** Writes at once what this turn holds of a socket. */
  flush(socket: Writable): void {
    if (this.#held.delete(socket)) socket.uncork();
  }

  #end(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const socket of held) socket.uncork();
  }
}
