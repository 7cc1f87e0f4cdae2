import { FRAMES_PER_MESSAGE } from '../../../src/protocol/product/event-frames.ts';
import type { ProductEvent } from '../../../src/protocol/product/events.ts';
import { type EventFrame, KEPT_EVENTS, type SendFrames } from '../event-hub.ts';

/** The events of one user, numbered from 1, and the sockets that receive them. */
export class EventStream {
  readonly #sockets = new Set<SendFrames>();
  /** The latest events, the oldest first. */
  #kept: EventFrame[] = [];
  #id: string;
  #seq = 0;

  constructor(id: string) {
    this.#id = id;
  }

  get id(): string {
    return this.#id;
  }

  /** The number of the last event. 0 before the first. */
  get seq(): number {
    return this.#seq;
  }

  /** The number of sockets. */
  get size(): number {
    return this.#sockets.size;
  }

  /**
   * Adds a socket, and sends it the number from which its events begin, and the events that it missed.
   *
   * @returns whether all events after the last one that the page knows are kept.
   */
  open(after: string | null, send: SendFrames): boolean {
    const missed = this.#missedSince(after);
    this.#sockets.add(send);
    const seq = missed ? this.#seq - missed.length : this.#seq;
    send({ stream: this.#id, seq, resumed: missed !== null });
    for (const frame of missed ?? []) send(frame);
    return missed !== null;
  }

  /** Removes a socket. */
  leave(send: SendFrames): void {
    this.#sockets.delete(send);
  }

  /** Numbers events, keeps them for reconnecting pages, and sends them. */
  add(events: readonly ProductEvent[]): void {
    const frames = events.map((event, at) => ({ seq: this.#seq + at + 1, event }));
    this.#seq += frames.length;
    this.#kept.push(...frames);
    if (this.#kept.length > KEPT_EVENTS) this.#kept = this.#kept.slice(-KEPT_EVENTS);
    this.#send(frames);
  }

  /** Sends events that have no number of their own, and are not kept. */
  addUnnumbered(events: readonly ProductEvent[]): void {
    this.#send(events.map((event) => ({ seq: this.#seq, event })));
  }

  /**
   * Goes on as another stream.
   *
   * @param events - the latest events of that stream. The last one has the number `seq`.
   * @param resumed - whether the open pages have all events so far.
   */
  restart(id: string, seq: number, events: readonly ProductEvent[], resumed: boolean): void {
    this.#id = id;
    this.#seq = seq;
    this.#kept = events.map((event, at) => ({ seq: seq - events.length + at + 1, event }));
    for (const send of [...this.#sockets]) send({ stream: id, seq, resumed });
  }

  #send(frames: readonly EventFrame[]): void {
    for (let from = 0; from < frames.length; from += FRAMES_PER_MESSAGE) {
      const several = frames.slice(from, from + FRAMES_PER_MESSAGE);
      const [first] = several;
      for (const send of [...this.#sockets]) send(several.length === 1 && first ? first : several);
    }
  }

  /** Returns the events after the last known one. Null when they are not all kept. */
  #missedSince(after: string | null): readonly EventFrame[] | null {
    const [stream, known = ''] = (after ?? '').split('.');
    if (stream !== this.#id || !/^\d{1,15}$/.test(known) || Number(known) > this.#seq) return null;
    const missed = this.#kept.filter((frame) => frame.seq > Number(known));
    return missed.length === this.#seq - Number(known) ? missed : null;
  }
}
