import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { ProductEvent } from '../../../src/protocol/product/events.ts';
import { KEPT_EVENTS, type SendFrames } from '../event-hub.ts';
import { EventStream } from './event-stream.ts';

/** The latest events of a stream. The last one has the number `last`. */
export interface Arrival {
  readonly id: string;
  readonly last: number;
  readonly events: readonly ProductEvent[];
}

/** The pages of one user at this node, and the part of the shared stream that they have received. */
export class EventsHere {
  readonly stream: EventStream;
  /** True while the stream is that of the shared state. False while it is one of this node. */
  isJoined = false;
  /** Whether the stream is about to be read from the shared state. */
  isReading = false;
  /** Whether the users that this user follows were read from the shared state. */
  hasFollowed = false;
  /** The pages that wait until the stream is read, each with the last event that it knows. */
  readonly #waiting = new Map<SendFrames, string | null>();
  /** The events that came before an earlier one, or before the stream was read. */
  #early: { readonly id: string; readonly seq: number; readonly event: ProductEvent }[] = [];
  #gap: Timer | null = null;

  /** @param id - the id of the stream of this node, for the time before it joins the shared one. */
  constructor(id: string) {
    this.stream = new EventStream(id);
  }

  /** The number of pages. */
  get size(): number {
    return this.stream.size + this.#waiting.size;
  }

  /** Adds a page. It receives its first frame when the stream is read. */
  wait(after: string | null, send: SendFrames): void {
    this.#waiting.set(send, after);
  }

  leave(send: SendFrames): void {
    this.#waiting.delete(send);
    this.stream.leave(send);
  }

  /**
   * Takes events of the shared stream, and sends those whose turn it is. An event that was sent before is dropped.
   *
   * @returns false when an earlier event is missing, or the events are of another stream.
   */
  arrive({ id, last, events }: Arrival): boolean {
    const numbered = events.map((event, at) => ({ id, seq: last - events.length + at + 1, event }));
    this.#early = [...this.#early, ...numbered].slice(-KEPT_EVENTS);
    return this.#drain();
  }

  /**
   * Goes on with the stream as the shared state has it. Opens the pages that wait. The other pages receive what they
   * miss, or learn that it is lost.
   *
   * @returns whether a page resumed.
   */
  join({ id, last, events }: Arrival): boolean {
    const first = last - events.length + 1;
    const { stream } = this;
    if (this.isJoined && stream.id === id && first <= stream.seq + 1) {
      stream.add(events.slice(stream.seq - first + 1));
    } else {
      stream.restart(id, last, events, false);
    }
    this.isJoined = true;
    this.#early = this.#early.filter((event) => event.id === id);
    this.#drain();
    return this.#open();
  }

  /** Goes on with a stream of this node. Its pages have all events of the former stream that this node has. */
  part(id: string): void {
    if (this.isJoined) this.stream.restart(id, 0, [], true);
    this.isJoined = false;
    this.#open();
  }

  /** Runs `then` when an earlier event is still missing after `ms`. */
  waitForGap(clock: Pick<Clock, 'after'>, ms: number, then: () => void): void {
    this.#gap ??= clock.after(ms, () => {
      this.#gap = null;
      if (this.#early.length > 0) then();
    });
  }

  dispose(): void {
    this.#gap?.cancel();
    this.#gap = null;
  }

  #open(): boolean {
    let isResumed = false;
    for (const [send, after] of [...this.#waiting]) {
      this.#waiting.delete(send);
      if (this.stream.open(after, send)) isResumed = true;
    }
    return isResumed;
  }

  /** Sends the early events whose turn has come. Returns whether none is left. */
  #drain(): boolean {
    const { stream } = this;
    if (!this.isJoined) return true;
    this.#early = this.#early.filter(({ id, seq }) => id !== stream.id || seq > stream.seq);
    const next = new Map(this.#early.filter(({ id }) => id === stream.id).map(({ seq, event }) => [seq, event]));
    const due: ProductEvent[] = [];
    for (let seq = stream.seq + 1, event = next.get(seq); event; seq += 1, event = next.get(seq)) due.push(event);
    stream.add(due);
    this.#early = this.#early.filter(({ id, seq }) => id !== stream.id || seq > stream.seq);
    return this.#early.length === 0;
  }
}
