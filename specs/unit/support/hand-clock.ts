import type { Clock, Timer } from '../../../src/common/clock.ts';

interface Alarm {
  at: number;
  readonly run: () => void;
}

/** A clock that stands still until the test moves it. Timers of one instant fire in the order of their start. */
export class HandClock implements Clock {
  #now: number;
  /** Sorted by the order in which they fire: some tests have thousands of them. */
  #alarms: Alarm[] = [];
  #skew = 0;
  #processStart = 0;

  /** @param start - the wall time, milliseconds since the epoch. */
  constructor(start = Date.UTC(2026, 10, 20, 12)) {
    this.#now = start;
  }

  /** The number of timers that are set. A test checks that none is left. */
  get pending(): number {
    return this.#alarms.length;
  }

  now(): number {
    return this.#now - this.#processStart;
  }

  wallTime(): number {
    return this.#now + this.#skew;
  }

  after(ms: number, run: () => void): Timer {
    const alarm = { at: this.#now + ms, run };
    this.#set(alarm);
    return { cancel: () => this.#drop(alarm) };
  }

  every(ms: number, run: () => void): Timer {
    const alarm: Alarm = {
      at: this.#now + ms,
      run: () => {
        alarm.at += ms;
        this.#set(alarm);
        run();
      },
    };
    this.#set(alarm);
    return { cancel: () => this.#drop(alarm) };
  }

  /** Makes another process read its monotonic clock from here on. */
  startProcess(): void {
    this.#processStart = this.#now - 7_000;
  }

  /** Ends the process of these timers. */
  stop(): void {
    this.#alarms = [];
  }

  /** Sets the wall clock forward, or back, by `ms`. Timers do not change. */
  set(ms: number): void {
    this.#skew += ms;
  }

  /** Stops the event loop: timers that come due meanwhile fire late, all at its end. */
  stall(ms: number): void {
    this.#now += ms;
    this.advance(0);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let due = this.#alarms[0]; due && due.at <= end; due = this.#alarms[0]) {
      this.#alarms.shift();
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }

  #set(alarm: Alarm): void {
    if (Number.isNaN(alarm.at)) throw new RangeError('a timer of NaN milliseconds');
    const before = this.#alarms.findLastIndex(({ at }) => at <= alarm.at);
    this.#alarms.splice(before + 1, 0, alarm);
  }

  #drop(alarm: Alarm): void {
    const place = this.#alarms.indexOf(alarm);
    if (place >= 0) this.#alarms.splice(place, 1);
  }
}
