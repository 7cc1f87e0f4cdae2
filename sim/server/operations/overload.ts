import type { Clock, Timer } from '../../../src/common/clock.ts';

/** The interval between two looks at the event loop. Milliseconds. */
const LOOK_MS = 250;
/** The share of the time in which a busy event loop works. */
const BUSY = 0.97;
/** The share below which it has time again. */
const CALM = 0.9;
/** A busy event loop runs its timers at least this late, or lets a frame wait for this time. Milliseconds. */
const LATE_MS = 20;
/** The time after which a loop that is busy without a pause counts as overloaded. Milliseconds. */
const BUSY_FOR_MS = 4_000;
/** The time after which a loop that is calm without a pause counts as relieved. Milliseconds. */
const CALM_FOR_MS = 1_000;

interface OverloadOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Returns the share of the time since its last call in which the event loop worked, 0 to 1. */
  readonly utilization: () => number;
  /** Returns the longest time that a frame has waited since its last call. Milliseconds. */
  readonly longestWait: () => number;
  /** Called when the server becomes overloaded, and when it is relieved. */
  readonly onChange?: (isOverloaded: boolean) => void;
}

/**
 * A watch over the event loop. A server above its maximum rate works without a pause, and every message waits longer
 * and longer. It must then refuse new calls, so that the calls that it has go on. A short peak is no overload.
 */
export class Overload {
  readonly #options: OverloadOptions;
  #timer: Timer;
  #due = 0;
  /** Since when the loop has shown without a pause what would change the verdict. Null when it has not. */
  #since: number | null = null;
  #isOverloaded = false;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#timer = this.#later();
  }

  get isOverloaded(): boolean {
    return this.#isOverloaded;
  }

  dispose(): void {
    this.#timer.cancel();
  }

  #later(): Timer {
    const { clock } = this.#options;
    this.#due = clock.now() + LOOK_MS;
    return clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    const { clock, utilization, longestWait, onChange } = this.#options;
    const now = clock.now();
    const late = Math.max(now - this.#due, longestWait());
    this.#timer = this.#later();
    const share = utilization();
    const speaksForChange = this.#isOverloaded ? share < CALM : share >= BUSY && late >= LATE_MS;
    if (!speaksForChange) {
      this.#since = null;
      return;
    }
    this.#since ??= now;
    if (now - this.#since < (this.#isOverloaded ? CALM_FOR_MS : BUSY_FOR_MS)) return;
    this.#since = null;
    this.#isOverloaded = !this.#isOverloaded;
    onChange?.(this.#isOverloaded);
  }
}
