/** The part of a websocket that heartbeats need. */
export interface Pingable {
  ping(): void;
  terminate(): void;
}

/** The pings of a socket. */
interface Heart {
  /** The pings since the last answer. */
  missed: number;
  readonly part: number;
}

/** The parts of the sockets that are pinged one after the other: all at once would delay every call. */
export const PARTS = 20;
/** A socket that has not answered this many pings is terminated in place of the next one. */
const MISSES = 2;

/** The open sockets of a server, which are pinged in turn. */
export class Heartbeats<Socket extends Pingable> {
  readonly #hearts = new Map<Socket, Heart>();
  #part = 0;
  /** The number of sockets so far. */
  #added = 0;

  get sockets(): readonly Socket[] {
    return [...this.#hearts.keys()];
  }

  get count(): number {
    return this.#hearts.size;
  }

  /** Pings a socket from now on. Call `answered` for each of its pongs, and `remove` when it has closed. */
  add(socket: Socket): void {
    this.#added += 1;
    this.#hearts.set(socket, { missed: 0, part: this.#added % PARTS });
  }

  answered(socket: Socket): void {
    const heart = this.#hearts.get(socket);
    if (heart) heart.missed = 0;
  }

  remove(socket: Socket): void {
    this.#hearts.delete(socket);
  }

  /** Pings the next part of the sockets. Terminates those that have not answered. Call it `PARTS` times in an interval. */
  beat(): void {
    this.#part = (this.#part + 1) % PARTS;
    for (const [socket, heart] of this.#hearts) {
      if (heart.part !== this.#part) continue;
      if (heart.missed >= MISSES) {
        socket.terminate();
        continue;
      }
      heart.missed += 1;
      socket.ping();
    }
  }
}
