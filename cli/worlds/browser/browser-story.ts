/**
 * The events of a story in the browser world. Pages report their events late, with the time at which each one happened.
 */
import type { Fate, Message } from '../../../sim/faults/message.ts';
import { networkEvent } from '../../../sim/scenario/virtual/network-event.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { TraceEvent, Untimed } from '../../../src/trace/events.ts';
import { toleranceOf, Waiting } from '../real/waiting.ts';
import type { PageNews } from './page/page-news.ts';

/** The tolerance of a moment on a fast machine, milliseconds. A page reports it to Node. */
const SLACK_MS = 500;

export class BrowserStory {
  readonly waiting: Waiting;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #events: TraceEvent[] = [];
  /** The messages that pages sent, by device and text, with their times. */
  readonly #sendings = new Map<string, number>();
  /** The device and the text of an event. */
  readonly #noted = new WeakMap<TraceEvent, string>();
  #start: number;
  /** The end of the story. Later events do not belong to it. */
  #end = Number.POSITIVE_INFINITY;

  /**
   * @param clock - the clock of this process: `now` is that of `performance.now()`.
   * @param signal - ends every wait with an error.
   */
  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#start = clock.now();
    this.waiting = new Waiting(clock);
  }

  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  get now(): number {
    return this.#clock.now() - this.#start;
  }

  get moment(): number {
    return Math.max(0, this.waiting.moment - this.#start);
  }

  tolerance(ms: number): number {
    return toleranceOf(SLACK_MS, ms, this.waiting.late);
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.waiting.until(() => {
      this.#signal.throwIfAborted();
      return condition();
    }, ms);
  }

  /** Begins the story now. Earlier events do not belong to it. */
  begin(): void {
    this.#events.length = 0;
    this.#start = this.#clock.now();
  }

  /** Ends the story. Later events do not belong to it. */
  end(): void {
    this.#end = this.#clock.now();
  }

  /**
   * Sorts late reports: pages report late, and their messages are noted on the way. Each one goes to its own moment.
   */
  order(): void {
    this.#events = this.#events
      .map((event) => ({ ...event, at: this.#sendings.get(this.#noted.get(event) ?? '') ?? event.at }))
      .toSorted((one, other) => one.at - other.at);
  }

  /** Adds a message that passed the network. */
  carried(message: Message, fate: Fate): void {
    const event = this.note(networkEvent({ ...message, at: 0, dropped: fate === 'drop', fate }, 0));
    const { device, direction, via, type, text } = message;
    if (direction === 'up') this.#noted.set(event, `${device} ${via === 'http' ? `${type} ` : ''}${text}`);
  }

  /** Adds the report of a page. */
  received(device: string, { at, event, sent }: Omit<PageNews, 'view'>): void {
    const here = at - performance.timeOrigin;
    this.waiting.wasLate(this.#clock.now() - here);
    if (sent !== undefined) this.#sendings.set(`${device} ${sent}`, here - this.#start);
    if (event) this.note(event, here);
    else this.waiting.wake(here);
  }

  /** @param at - the time of the event, on the clock of this process. */
  note(event: Untimed, at = this.#clock.now()): TraceEvent {
    const timed = { ...event, at: at - this.#start };
    // The time of the event counts, not the time of its report.
    if (at >= this.#start && at <= this.#end) this.#events.push(timed);
    this.waiting.wake(at);
    return timed;
  }
}
