import type { Writable } from 'node:stream';

/**
 * Joins what sockets send in one turn of the event loop: each socket then costs the system one write for the turn, not
 * one for each frame.
 */
export class TurnWrites {
  #held: Writable[] = [];

  /** Holds the data of a socket until the end of this turn. Call it before each write. */
  hold(socket: Writable): void {
    if (socket.writableCorked > 0) return;
    if (this.#held.length === 0) setImmediate(() => this.#end());
    this.#held.push(socket);
    socket.cork();
  }

  /** Writes at once what this turn holds of a socket. */
  flush(socket: Writable): void {
    // The end of the turn finds the socket without data.
    socket.uncork();
  }

  #end(): void {
    const held = this.#held;
    this.#held = [];
    for (const socket of held) socket.uncork();
  }
}
