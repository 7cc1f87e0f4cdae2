import type { Writable } from 'node:stream';
import { nodeClock } from './node-ports.ts';

/** The time for which waiting frames are handled, before the event loop looks for new ones. Milliseconds. */
const HANDLE_MS = 2;
/** The most characters that wait for the next turn. Above it a turn handles more, and the system slows the senders. */
const MOST_WAITING = 4 * 1024 * 1024;
/** The longest time for which data that answers waiting frames is held, while more frames wait. Milliseconds. */
const HOLD_MS = 8;
/** The handled frames that are kept at most, before the others move to the front. */
const MOST_HANDLED = 1_024;

/** The frames of one socket. */
export interface FrameSource {
  /** Handles a frame. Never throws. */
  handle(text: string): void;
  /** How many of its frames wait. Only the turn changes this. */
  waiting: number;
}

interface Frame {
  /** Null once it is handled. */
  source: FrameSource | null;
  readonly text: string;
}

interface TurnOptions {
  /** A monotonic clock. Milliseconds. Default: that of this machine. */
  readonly now?: () => number;
  /** Runs a function when every socket of this turn has been read. Default: setImmediate. */
  readonly whenRead?: (run: () => void) => void;
}

/**
 * The work of a server in one turn of the event loop.
 *
 * First the event loop reads every socket. Urgent frames are handled at once, and the others wait. Then the changes of
 * the urgent frames are stored, and their messages leave. Then the waiting frames are handled for a moment. What a socket
 * sends then is held until no frame waits, but for a few turns at most. So it costs the system one write.
 */
export class Turn {
  readonly #now: () => number;
  readonly #whenRead: (run: () => void) => void;
  #frames: Frame[] = [];
  /** The place of the first frame that may wait. */
  #first = 0;
  /** The characters of the frames that wait. */
  #waiting = 0;
  /** The sockets whose data leaves when every socket has been read. */
  #due: Writable[] = [];
  /** The sockets whose data leaves when no frame waits. */
  #held: Writable[] = [];
  #heldSince = 0;
  #isHandlingWaiting = false;
  #ends: (() => void)[] = [];
  #isPlanned = false;

  constructor({ now = () => nodeClock.now(), whenRead = setImmediate }: TurnOptions = {}) {
    this.#now = now;
    this.#whenRead = whenRead;
  }

  /**
   * Handles a frame in its turn: at once when it is urgent, and after all earlier frames of its socket in any case.
   *
   * @param isUrgent - true when a user waits for it.
   */
  receive(source: FrameSource, text: string, isUrgent: boolean): void {
    if (isUrgent) {
      this.finish(source);
      source.handle(text);
      return;
    }
    source.waiting += 1;
    this.#waiting += text.length;
    this.#frames.push({ source, text });
    this.#plan();
  }

  /** Handles the waiting frames of a socket now, before it is removed. */
  finish(source: FrameSource): void {
    for (let at = this.#first; source.waiting > 0 && at < this.#frames.length; at += 1) {
      const frame = this.#frames[at];
      if (frame?.source === source) this.#handle(frame);
    }
  }

  /** Holds the data of a socket, so that it shares a write with what follows. Call it before each write. */
  hold(socket: Writable): void {
    const isHeld = socket.writableCorked > 0;
    if (this.#isHandlingWaiting) {
      if (isHeld) return;
      if (this.#held.length === 0) this.#heldSince = this.#now();
      this.#held.push(socket);
    } else {
      // Data that is held longer leaves with this.
      this.#due.push(socket);
      this.#plan();
    }
    if (!isHeld) socket.cork();
  }

  /** Writes at once what this turn holds of a socket. */
  flush(socket: Writable): void {
    // The end of the turn finds the socket without data.
    socket.uncork();
  }

  /** Resolves when every socket of this turn has been read. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#ends.push(resolve);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // The promises of the first part run before the second one. The changes of urgent frames are stored by then.
    this.#whenRead(() => this.#endReading());
    this.#whenRead(() => this.#handleWaiting());
  }

  #endReading(): void {
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
  }

  #handleWaiting(): void {
    this.#due = write(this.#due);
    this.#isHandlingWaiting = true;
    const until = this.#now() + HANDLE_MS;
    let now = until - HANDLE_MS;
    while (this.#first < this.#frames.length && (now < until || this.#waiting > MOST_WAITING)) {
      const frame = this.#frames[this.#first];
      this.#first += 1;
      if (frame) this.#handle(frame);
      now = this.#now();
    }
    this.#isHandlingWaiting = false;
    this.#forgetHandled();
    if (this.#frames.length === 0 || now - this.#heldSince >= HOLD_MS) this.#held = write(this.#held);
    this.#isPlanned = false;
    if (this.#frames.length > 0 || this.#ends.length > 0) this.#plan();
  }

  #handle(frame: Frame): void {
    const { source, text } = frame;
    if (!source) return;
    frame.source = null;
    source.waiting -= 1;
    this.#waiting -= text.length;
    source.handle(text);
  }

  #forgetHandled(): void {
    if (this.#first === this.#frames.length) this.#frames = [];
    else if (this.#first >= MOST_HANDLED) this.#frames = this.#frames.slice(this.#first);
    else return;
    this.#first = 0;
  }
}

/** Writes the data of sockets. Returns the sockets that hold some afterwards: none. */
function write(sockets: readonly Writable[]): Writable[] {
  for (const socket of sockets) socket.uncork();
  return [];
}
