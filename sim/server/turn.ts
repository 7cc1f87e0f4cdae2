import type { Writable } from 'node:stream';
import { nodeClock } from './node-ports.ts';

/** The time for which waiting frames are handled, before the event loop looks for new ones. Milliseconds. */
const HANDLE_MS = 2;
/** The most frames of one socket that wait. One more is handled at once, after them. */
const MOST_OF_SOCKET = 256;
/** The most characters of all frames that wait. One more frame is handled at once, after those of its socket. */
const MOST_WAITING = 4 * 1024 * 1024;
/** What a frame counts besides its text. Characters. */
const FRAME_COST = 64;
/** The time for which data that answers waiting frames is held, while more frames wait, and one turn more. Milliseconds. */
const HOLD_MS = 8;

/**
 * When a frame is handled: `now`, as soon as it is read; `soon`, before other frames when every socket is read; `later`,
 * after them.
 */
export type Urgency = 'now' | 'soon' | 'later';

/** A frame that waits. */
interface Frame {
  readonly text: string;
  readonly receivedAt: number;
  /** The next frame of its socket. */
  next: Frame | null;
}

/** A socket with its waiting frames. They are linked: an array with places would stay with each idle socket. */
export abstract class FrameSource {
  #first: Frame | null = null;
  #last: Frame | null = null;
  #waiting = 0;
  /** Whether the turn has this socket in its list. Only the turn changes this. */
  isListed = false;
  /** Whether the turn has this socket in its list of those with a frame of urgency `soon`. Only the turn changes this. */
  isSoon = false;

  /** Handles a frame. */
  abstract handle(text: string): void;

  /** The number of frames that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Adds a frame behind those that wait. Only the turn calls this. */
  add(text: string, receivedAt: number): void {
    const frame: Frame = { text, receivedAt, next: null };
    if (this.#last) this.#last.next = frame;
    else this.#first = frame;
    this.#last = frame;
    this.#waiting += 1;
  }

  /** Removes the first frame that waits, and returns it. Null without one. Only the turn calls this. */
  take(): Pick<Frame, 'text' | 'receivedAt'> | null {
    const first = this.#first;
    if (!first) return null;
    this.#first = first.next;
    if (!first.next) this.#last = null;
    // A frame that has reached the old generation of V8 would keep all later ones until the next collection there.
    first.next = null;
    this.#waiting -= 1;
    return first;
  }
}

interface TurnOptions {
  /** A monotonic clock. Milliseconds. Default: that of this machine. */
  readonly now?: () => number;
  /** Runs a function when every socket of this turn has been read. Default: setImmediate. */
  readonly whenRead?: (run: () => void) => void;
}

/** Runs a function after the promises of this callback. Node runs ticks before promises, except those that promises plan. */
const afterPromises = (run: () => void): void => queueMicrotask(() => process.nextTick(run));

/**
 * The work of a server in one turn of the event loop.
 *
 * First the event loop reads every socket. Frames of urgency `now` are handled, and their messages leave after their
 * promises. The other frames wait. Then they are handled for a moment: first those of sockets with a frame of urgency
 * `soon`, and then one of each socket in turn. What a socket sends then is held until no frame waits, but for a few turns
 * at most. So it costs the system one write.
 */
export class Turn {
  readonly #now: () => number;
  readonly #whenRead: (run: () => void) => void;
  /** The sockets that have a frame of urgency `soon`, which may be handled by now. */
  #soon: FrameSource[] = [];
  /** The sockets with waiting frames, and some whose frames are handled by now. The next one is at `#next`. */
  #sources: FrameSource[] = [];
  #next = 0;
  /** The characters of the frames that wait, with the cost of each. */
  #characters = 0;
  /** The longest wait of a frame since it was last read. Milliseconds. */
  #longestWait = 0;
  /** The sockets whose data leaves when the promises of this callback have run. */
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

  /** Handles a frame in its turn, by its urgency. It comes after all earlier frames of its socket in any case. */
  receive(source: FrameSource, text: string, urgency: Urgency): void {
    const cost = text.length + FRAME_COST;
    const isFull = source.waiting >= MOST_OF_SOCKET || this.#characters + cost > MOST_WAITING;
    if (urgency === 'now' || isFull) {
      this.finish(source);
      source.handle(text);
      return;
    }
    source.add(text, this.#now());
    this.#characters += cost;
    if (urgency === 'soon' && !source.isSoon) {
      source.isSoon = true;
      this.#soon.push(source);
    }
    this.#list(source);
    this.#plan();
  }

  /** Handles the waiting frames of a socket now, before it is removed. */
  finish(source: FrameSource): void {
    while (source.waiting > 0) this.#handleFirst(source);
  }

  /** Holds the data of a socket, so that it shares a write with what follows. Call it before each write. */
  hold(socket: Writable): void {
    const isHeld = socket.writableCorked > 0;
    if (this.#isHandlingWaiting) {
      if (isHeld) return;
      if (this.#held.length === 0) this.#heldSince = this.#now();
      this.#held.push(socket);
    } else {
      if (this.#due.length === 0) afterPromises(() => this.#writeDue());
      // This also writes what the socket holds from waiting frames.
      this.#due.push(socket);
    }
    if (!isHeld) socket.cork();
  }

  /** Writes at once what this turn holds of a socket. */
  flush(socket: Writable): void {
    // A later write of the turn finds the socket without data.
    socket.uncork();
  }

  /** Resolves when every socket of this turn has been read. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#ends.push(resolve);
      this.#plan();
    });
  }

  /** Returns the longest time that a frame has waited since the last call. Milliseconds. */
  longestWait(): number {
    const longest = this.#longestWait;
    this.#longestWait = 0;
    return longest;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // Node runs the promises of the first part before the second one.
    this.#whenRead(() => this.#endReading());
    this.#whenRead(() => this.#endTurn());
  }

  #endReading(): void {
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
  }

  #endTurn(): void {
    try {
      // Reading may have taken long.
      if (this.#now() - this.#heldSince >= HOLD_MS) this.#writeHeld();
      this.#isHandlingWaiting = true;
      this.#handleWaiting();
    } finally {
      this.#isHandlingWaiting = false;
      this.#isPlanned = false;
      if (this.#next > 0) this.#sources = this.#sources.slice(this.#next);
      this.#next = 0;
      const isOver = this.#sources.length === 0;
      if (!isOver || this.#ends.length > 0) this.#plan();
      if (isOver || this.#now() - this.#heldSince >= HOLD_MS) this.#writeHeld();
    }
  }

  #writeDue(): void {
    const due = this.#due;
    this.#due = [];
    for (const socket of due) socket.uncork();
  }

  #writeHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const socket of held) socket.uncork();
  }

  #handleWaiting(): void {
    const until = this.#now() + HANDLE_MS;
    this.#handleSoon(until);
    // At least one frame, however many other sockets end calls.
    let hasHandled = false;
    while (this.#next < this.#sources.length && (!hasHandled || this.#now() < until)) {
      const source = this.#sources[this.#next];
      this.#next += 1;
      if (!source) continue;
      source.isListed = false;
      if (source.waiting === 0) continue;
      hasHandled = true;
      // Before the frame is handled, in case the handler throws.
      if (source.waiting > 1) this.#list(source);
      this.#handleFirst(source);
    }
  }

  #handleSoon(until: number): void {
    let taken = 0;
    try {
      while (taken < this.#soon.length && this.#now() < until) {
        const source = this.#soon[taken];
        taken += 1;
        if (!source) continue;
        source.isSoon = false;
        this.finish(source);
      }
    } finally {
      if (taken > 0) this.#soon = this.#soon.slice(taken);
    }
  }

  #list(source: FrameSource): void {
    if (source.isListed) return;
    source.isListed = true;
    this.#sources.push(source);
  }

  #handleFirst(source: FrameSource): void {
    const frame = source.take();
    if (!frame) return;
    this.#characters -= frame.text.length + FRAME_COST;
    this.#longestWait = Math.max(this.#longestWait, this.#now() - frame.receivedAt);
    source.handle(frame.text);
  }
}
