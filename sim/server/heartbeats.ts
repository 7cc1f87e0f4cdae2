/** The part of a websocket that heartbeats need. */
export interface Pingable {
  ping(): void;
  terminate(): void;
}

/** The pings of a socket. */
interface Heart<Socket> {
  /** The pings since the last answer. */
  missed: number;
  readonly part: Set<Socket>;
}

/**
 * The parts of the sockets that are pinged one after the other. The pings of a part are one turn of the event loop, and
 * every call waits for it. More parts make the wait shorter.
 */
export const PARTS = 100;
/** A socket that has not answered this many pings is terminated in place of the next one. */
const MISSES = 2;

/** The open sockets of a server, which are pinged in turn. */
export class Heartbeats<Socket extends Pingable> {
  readonly #hearts = new Map<Socket, Heart<Socket>>();
  readonly #parts = Array.from({ length: PARTS }, () => new Set<Socket>());
  /** The number of sockets so far, and of beats. */
  #added = 0;
  #beats = 0;

  get sockets(): readonly Socket[] {
    return [...this.#hearts.keys()];
  }

  get count(): number {
    return this.#hearts.size;
  }

  /** Pings a socket from now on. Call `answered` for each of its pongs, and `remove` when it has closed. */
  add(socket: Socket): void {
    const part = this.#partAt(this.#added);
    this.#added += 1;
    this.#hearts.set(socket, { missed: 0, part: part.add(socket) });
  }

  answered(socket: Socket): void {
    const heart = this.#hearts.get(socket);
    if (heart) heart.missed = 0;
  }

  remove(socket: Socket): void {
    this.#hearts.get(socket)?.part.delete(socket);
    this.#hearts.delete(socket);
  }

  /** Pings the next part of the sockets. Terminates those that have not answered. Call it `PARTS` times in an interval. */
  beat(): void {
    const part = this.#partAt(this.#beats);
    this.#beats += 1;
    for (const socket of part) {
      const heart = this.#hearts.get(socket);
      if (!heart) continue;
      if (heart.missed >= MISSES) {
        socket.terminate();
        continue;
      }
      heart.missed += 1;
      socket.ping();
    }
  }

  #partAt(count: number): Set<Socket> {
    return this.#parts[count % PARTS] as Set<Socket>;
  }
}
