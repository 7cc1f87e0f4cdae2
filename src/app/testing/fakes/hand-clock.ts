import type { Clock } from '../../core/ports/clock.ts';

interface Alarm {
  readonly due: number;
  readonly task: () => void;
}

/** A clock that stands still until the test moves it. */
export class HandClock implements Clock {
  #now: number;
  readonly #alarms = new Set<Alarm>();

  constructor(now = Date.UTC(2026, 10, 20, 12, 0, 0)) {
    this.#now = now;
  }

  /** The number of timers that are set. A test checks that none is left. */
  get pending(): number {
    return this.#alarms.size;
  }

  now = (): number => this.#now;

  after = (ms: number, task: () => void): (() => void) => {
    const alarm: Alarm = { due: this.#now + ms, task };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  };

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#alarms.delete(next);
      this.#now = next.due;
      next.task();
    }
    this.#now = end;
  }

  #nextUntil(end: number): Alarm | undefined {
    const due = Array.from(this.#alarms).filter((alarm) => alarm.due <= end);
    return due.toSorted((a, b) => a.due - b.due)[0];
  }
}
