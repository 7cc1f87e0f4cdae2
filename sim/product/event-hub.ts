import type { Clock } from '../../src/common/clock.ts';
import { type EventsOpened, FRAMES_PER_MESSAGE } from '../../src/protocol/product/event-frames.ts';
import type { ProductEvent } from '../../src/protocol/product/events.ts';
import type { Ids } from '../exchange/ports.ts';

interface Frame {
  readonly seq: number;
  readonly event: ProductEvent;
}
/** Sends one message: a frame, or several consecutive frames. */
type Send = (message: EventsOpened | Frame | readonly Frame[]) => void;

/** An event and the users who receive it. */
export interface Publication {
  readonly uIds: Iterable<string>;
  readonly event: ProductEvent;
}

/** The time for which the events of an absent user are kept. */
const KEPT_MS = 2 * 60_000;
/** The most events that are kept of one user. */
const KEPT_EVENTS = 200;

/** The most users that one user follows. The least recently shown ones are dropped. */
const FOLLOWED = 500;

/** The events of one user, numbered from 1. */
interface Stream {
  readonly id: string;
  readonly sockets: Set<Send>;
  /** The latest events, the oldest first. */
  readonly kept: Frame[];
  /** The users that this user was shown, the latest at the end. */
  readonly followed: Set<string>;
  seq: number;
  /** When the last page of the user closed, by the monotonic clock. Null while a page is open. */
  leftAt: number | null;
}

/** Sends events to connected users, and missed events to users who reconnect soon. */
export class EventHub {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'uuid'>;
  readonly #streams = new Map<string, Stream>();
  /** The followers, by the followed user. */
  readonly #followers = new Map<string, Set<string>>();
  #sweptAt = 0;

  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'uuid'>) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Sends the events of this user, after a frame with the number from which they begin.
   *
   * @param after - the last event that the page knows, `{stream}.{seq}`. Null for a page that knows none.
   * @returns the function that unsubscribes.
   */
  subscribe(uId: string, after: string | null, send: Send): () => void {
    this.#sweep();
    const stream = this.#presentStream(uId) ?? {
      id: this.#ids.uuid(),
      sockets: new Set(),
      kept: [],
      followed: new Set(),
      seq: 0,
      leftAt: null,
    };
    this.#streams.set(uId, stream);
    stream.leftAt = null;
    stream.sockets.add(send);
    const missed = missedSince(stream, after);
    send({ stream: stream.id, seq: missed ? stream.seq - missed.length : stream.seq, resumed: missed !== null });
    for (const frame of missed ?? []) send(frame);
    return () => {
      stream.sockets.delete(send);
      if (stream.sockets.size === 0) stream.leftAt = this.#clock.now();
    };
  }

  /** Returns whether a page of this user is open. */
  isConnected(uId: string): boolean {
    return (this.#streams.get(uId)?.sockets.size ?? 0) > 0;
  }

  /** Returns whether events of this user are sent or kept. */
  reaches(uId: string): boolean {
    return this.#presentStream(uId) !== undefined;
  }

  /** Sends an event to those of the users who are connected, and keeps it for those who left recently. */
  publish(uIds: Iterable<string>, event: ProductEvent): void {
    this.publishAll([{ uIds, event }]);
  }

  /** Sends several events in their order. One user receives them in one message. */
  publishAll(all: readonly Publication[]): void {
    const framesByStream = new Map<Stream, Frame[]>();
    for (const { uIds, event } of all) {
      for (const uId of new Set(uIds)) {
        const stream = this.#presentStream(uId);
        if (!stream) continue;
        const frames = framesByStream.get(stream) ?? [];
        framesByStream.set(stream, frames);
        frames.push(keep(stream, event));
      }
    }
    for (const [stream, frames] of framesByStream) {
      for (let from = 0; from < frames.length; from += FRAMES_PER_MESSAGE) {
        const several = frames.slice(from, from + FRAMES_PER_MESSAGE);
        const [first] = several;
        for (const send of [...stream.sockets]) send(several.length === 1 && first ? first : several);
      }
    }
  }

  /** Subscribes a user with a connected page to changes of other users. Does nothing without a connected page. */
  follow(uId: string, others: Iterable<string>): void {
    const followed = this.#streams.get(uId)?.followed;
    if (!followed) return;
    for (const other of others) {
      if (other === uId) continue;
      followed.delete(other);
      followed.add(other);
      this.#followers.set(other, (this.#followers.get(other) ?? new Set()).add(uId));
    }
    for (const oldest of followed) {
      if (followed.size <= FOLLOWED) break;
      followed.delete(oldest);
      this.#unfollow(uId, oldest);
    }
  }

  /** Returns the users who follow this user. */
  followersOf(uId: string): string[] {
    return [...(this.#followers.get(uId) ?? [])];
  }

  /** Finds the stream of a connected user, or of one who left so recently that it is kept. */
  #presentStream(uId: string): Stream | undefined {
    const stream = this.#streams.get(uId);
    if (!stream || !this.#isGone(stream)) return stream;
    this.#forget(uId, stream);
    return undefined;
  }

  /** Drops old streams. Runs at most once in a period, not for each of many users who reconnect at once. */
  #sweep(): void {
    const now = this.#clock.now();
    if (now - this.#sweptAt < KEPT_MS) return;
    this.#sweptAt = now;
    for (const [uId, stream] of this.#streams) if (this.#isGone(stream)) this.#forget(uId, stream);
  }

  #forget(uId: string, { followed }: Stream): void {
    this.#streams.delete(uId);
    for (const other of followed) this.#unfollow(uId, other);
  }

  #unfollow(uId: string, other: string): void {
    const followers = this.#followers.get(other);
    followers?.delete(uId);
    if (followers?.size === 0) this.#followers.delete(other);
  }

  #isGone({ leftAt }: Stream): boolean {
    return leftAt !== null && this.#clock.now() - leftAt > KEPT_MS;
  }
}

/** Numbers an event and keeps it for reconnecting pages. */
function keep(stream: Stream, event: ProductEvent): Frame {
  stream.seq += 1;
  const frame = { seq: stream.seq, event };
  stream.kept.push(frame);
  if (stream.kept.length > KEPT_EVENTS) stream.kept.shift();
  return frame;
}

/** Returns the events after the last known one. Null when they are not all kept. */
function missedSince({ id, seq, kept }: Stream, after: string | null): Stream['kept'] | null {
  const [stream, known = ''] = (after ?? '').split('.');
  if (stream !== id || !/^\d{1,15}$/.test(known) || Number(known) > seq) return null;
  const missed = kept.filter((frame) => frame.seq > Number(known));
  return missed.length === seq - Number(known) ? missed : null;
}
