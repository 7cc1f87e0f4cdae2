import { busyShareSinceLastCall } from './busy-share.ts';

/** The shortest turn of a busy event loop. It bounds how long a frame waits in the system to be read. Milliseconds. */
const TURN_MS = 1;
/** The shortest sleep: the system takes about as long to wake a thread. Milliseconds. */
const SHORTEST_MS = 0.1;
/** The interval between two looks at how busy the event loop is. Milliseconds. */
const LOOK_MS = 100;
/**
 * The share of the time above which an event loop is busy, and below which it is not any more. A pace saves up to a
 * quarter of the work, and must not end by that.
 */
const BUSY = 0.5;
const CALM = 0.3;

interface TurnPaceOptions {
  /** Returns the time of the monotonic clock. Milliseconds, with fractions. */
  readonly now: () => number;
  /** Stops the thread. Milliseconds, with fractions. */
  readonly sleep: (ms: number) => void;
  /** Returns in which share of the time since its last call the event loop worked, 0 to 1. */
  readonly busyShare: (slept: () => number) => () => number;
}

/**
 * A shortest turn for an event loop that is busy. More frames then share a turn, with its writes to sockets and to
 * stores. A loop with time to spare waits for nothing, and one without it has longer turns anyway.
 */
export class TurnPace {
  readonly #options: TurnPaceOptions;
  readonly #busyShare: () => number;
  #isBusy = false;
  #looked: number;
  #ended = 0;
  #slept = 0;

  constructor(options: TurnPaceOptions) {
    this.#options = options;
    this.#looked = options.now();
    this.#busyShare = options.busyShare(() => this.#slept);
  }

  /** For how long the pace has stopped the thread so far. Milliseconds. */
  get slept(): number {
    return this.#slept;
  }

  /** Ends a turn that has written something. While the loop is busy, the next turn begins a millisecond after this one did. */
  end(): void {
    const now = this.#options.now();
    this.#look(now);
    const left = this.#ended + TURN_MS - now;
    this.#ended = now;
    if (!this.#isBusy || left < SHORTEST_MS) return;
    this.#options.sleep(left);
    this.#ended = this.#options.now();
    this.#slept += this.#ended - now;
  }

  #look(now: number): void {
    if (now - this.#looked < LOOK_MS) return;
    this.#looked = now;
    this.#isBusy = this.#busyShare() > (this.#isBusy ? CALM : BUSY);
  }
}

/** Returns the pace of the event loop of this process. */
export function paceOfProcess(): TurnPace {
  const nothing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return new TurnPace({
    now: () => performance.now(),
    sleep: (ms) => void Atomics.wait(nothing, 0, 0, ms),
    busyShare: busyShareSinceLastCall,
  });
}
