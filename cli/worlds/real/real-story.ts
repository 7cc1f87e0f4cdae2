import type { Clock } from '../../../src/common/clock.ts';
import type { TraceEvent, Untimed } from '../../../src/trace/events.ts';
import { toleranceOf, Waiting } from './waiting.ts';

/** The tolerance of a moment on a fast machine, milliseconds. */
const SLACK_MS = 250;

/** The events of a story, on the clock of the scenario. */
export class RealStory {
  readonly waiting: Waiting;
  /** Called with each event. Default: nothing. */
  onNote: (event: Untimed) => void = () => undefined;
  readonly #clock: Clock;
  /** How many times faster the clock of the scenario runs than that of the host. */
  readonly #scale: number;
  readonly #events: TraceEvent[] = [];
  #start: number;
  #isOver = false;

  constructor(clock: Clock, scale: number) {
    this.#clock = clock;
    this.#scale = scale;
    this.#start = clock.now();
    this.waiting = new Waiting(clock);
  }

  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  get now(): number {
    return this.#sinceStart(this.#clock.now());
  }

  get moment(): number {
    return this.#sinceStart(this.waiting.moment);
  }

  tolerance(ms: number): number {
    return toleranceOf(SLACK_MS * this.#scale, ms, this.waiting.late * this.#scale);
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.waiting.until(condition, ms / this.#scale);
  }

  /** Begins the story now. Earlier events do not belong to it. */
  begin(): void {
    this.#events.length = 0;
    this.#start = this.#clock.now();
  }

  /** Ends the story. Later events do not belong to it. */
  end(): void {
    this.#isOver = true;
  }

  note(event: Untimed): void {
    if (!this.#isOver) this.#events.push({ ...event, at: this.now });
    this.onNote(event);
    this.waiting.wake();
  }

  /** Converts a reading of the clock of the host to milliseconds of the clock of the scenario. */
  #sinceStart(at: number): number {
    return Math.max(0, at - this.#start) * this.#scale;
  }
}
