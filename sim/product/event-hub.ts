import { type EventsOpened, FRAMES_PER_MESSAGE } from '../../src/protocol/product/event-frames.ts';
import type { ProductEvent } from '../../src/protocol/product/events.ts';
import type { Clock, Ids } from '../exchange/ports.ts';

interface Frame {
  readonly seq: number;
  readonly event: ProductEvent;
}
/** Sends one message: a frame, or several that follow each other. */
type Send = (message: EventsOpened | Frame | readonly Frame[]) => void;

/** An event, and the users it is for. */
export interface Told {
  readonly uIds: Iterable<string>;
  readonly event: ProductEvent;
}

/** How long somebody may be away and still be told all they missed, and how much of it is kept for them. */
const KEPT_MS = 2 * 60_000;
const KEPT_EVENTS = 200;

/** So many others somebody follows at most: whom they were shown longest ago make room. */
const FOLLOWED = 500;

/** What one user is told, numbered from 1. */
interface Stream {
  readonly id: string;
  readonly sockets: Set<Send>;
  /** The last ones, oldest first. */
  readonly kept: Frame[];
  /** Those whom they were shown, who was shown last at the end. */
  readonly followed: Set<string>;
  seq: number;
  /** When the last page of the user closed, by the monotonic clock; null while a page listens. */
  leftAt: number | null;
}

/** Tells the users who are here what happened, and those who come back soon what they missed. */
export class EventHub {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #ids: Pick<Ids, 'uuid'>;
  readonly #streams = new Map<string, Stream>();
  /** By the followed user. */
  readonly #followers = new Map<string, Set<string>>();
  #sweptAt = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, ids: Pick<Ids, 'uuid'>) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Sends whatever this user is told, after a frame that says where it begins.
   *
   * @param after - the last event this socket's page knows, `{stream}.{seq}`; null where it knows none.
   * @returns the undo.
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
      if (stream.sockets.size === 0) stream.leftAt = this.#clock.monotonic();
    };
  }

  /** Whether a page of this user listens. */
  hears(uId: string): boolean {
    return (this.#streams.get(uId)?.sockets.size ?? 0) > 0;
  }

  tell(uIds: Iterable<string>, event: ProductEvent): void {
    this.tellAll([{ uIds, event }]);
  }

  /** Tells several events, in their order. What one user hears of them goes out together. */
  tellAll(all: readonly Told[]): void {
    const heard = new Map<Stream, Frame[]>();
    for (const { uIds, event } of all) {
      for (const uId of new Set(uIds)) {
        const stream = this.#presentStream(uId);
        if (!stream) continue;
        const frames = heard.get(stream) ?? [];
        heard.set(stream, frames);
        frames.push(keep(stream, event));
      }
    }
    for (const [stream, frames] of heard) {
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

  /** Those who are shown this user. */
  followersOf(uId: string): string[] {
    return [...(this.#followers.get(uId) ?? [])];
  }

  /** The stream of a user who listens, or who left so recently that it is kept. */
  #presentStream(uId: string): Stream | undefined {
    const stream = this.#streams.get(uId);
    if (!stream || !this.#isGone(stream)) return stream;
    this.#forget(uId, stream);
    return undefined;
  }

  /** Once in a while, and not for each of many who come back at once. */
  #sweep(): void {
    const now = this.#clock.monotonic();
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
    return leftAt !== null && this.#clock.monotonic() - leftAt > KEPT_MS;
  }
}

/** Numbers an event and keeps it for those who come back. */
function keep(stream: Stream, event: ProductEvent): Frame {
  stream.seq += 1;
  const frame = { seq: stream.seq, event };
  stream.kept.push(frame);
  if (stream.kept.length > KEPT_EVENTS) stream.kept.shift();
  return frame;
}

/** The events after the one that is known; null where it is not known which those are. */
function missedSince({ id, seq, kept }: Stream, after: string | null): Stream['kept'] | null {
  const [stream, known = ''] = (after ?? '').split('.');
  if (stream !== id || !/^\d{1,15}$/.test(known) || Number(known) > seq) return null;
  const missed = kept.filter((frame) => frame.seq > Number(known));
  return missed.length === seq - Number(known) ? missed : null;
}
