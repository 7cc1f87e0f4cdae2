import type { EventsOpened } from '../../src/protocol/product/event-frames.ts';
import type { ProductEvent } from '../../src/protocol/product/events.ts';
import type { Clock, Ids } from '../exchange/ports.ts';

type Frame = EventsOpened | { readonly seq: number; readonly event: ProductEvent };
type Send = (frame: Frame) => void;

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
  readonly kept: { readonly seq: number; readonly event: ProductEvent }[];
  /** Those whom they were shown, who was shown last at the end. */
  readonly followed: Set<string>;
  seq: number;
  /** Since when nobody listens; null while somebody does. */
  leftAt: number | null;
}

/** Tells the users who are here what happened, and those who come back soon what they missed. */
export class EventHub {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'uuid'>;
  readonly #streams = new Map<string, Stream>();

  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'uuid'>) {
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
    this.#forgetThoseGone();
    const stream = this.#streams.get(uId) ?? {
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

  /** Whether a page of this user listens. */
  hears(uId: string): boolean {
    return (this.#streams.get(uId)?.sockets.size ?? 0) > 0;
  }

  tell(uIds: Iterable<string>, event: ProductEvent): void {
    for (const uId of new Set(uIds)) {
      const stream = this.#streams.get(uId);
      if (stream) this.#tellOne(uId, stream, event);
    }
  }

  /** What this user is shown of others is to stay true for as long as they listen. Nothing where no page of theirs does. */
  follow(uId: string, others: Iterable<string>): void {
    const followed = this.#streams.get(uId)?.followed;
    if (!followed) return;
    for (const other of others) {
      followed.delete(other);
      if (other !== uId) followed.add(other);
    }
    for (const oldest of followed) {
      if (followed.size <= FOLLOWED) break;
      followed.delete(oldest);
    }
  }

  /** Those who are shown this user. */
  followersOf(uId: string): string[] {
    return [...this.#streams].flatMap(([follower, { followed }]) => (followed.has(uId) ? [follower] : []));
  }

  #tellOne(uId: string, stream: Stream, event: ProductEvent): void {
    if (this.#isGone(stream)) {
      this.#streams.delete(uId);
      return;
    }
    stream.seq += 1;
    const frame = { seq: stream.seq, event };
    stream.kept.push(frame);
    if (stream.kept.length > KEPT_EVENTS) stream.kept.shift();
    for (const send of [...stream.sockets]) send(frame);
  }

  #forgetThoseGone(): void {
    for (const [uId, stream] of this.#streams) if (this.#isGone(stream)) this.#streams.delete(uId);
  }

  #isGone({ leftAt }: Stream): boolean {
    return leftAt !== null && this.#clock.now() - leftAt > KEPT_MS;
  }
}

/** The events after the one that is known; null where it is not known which those are. */
function missedSince({ id, seq, kept }: Stream, after: string | null): Stream['kept'] | null {
  const [stream, known = ''] = (after ?? '').split('.');
  if (stream !== id || !/^\d{1,15}$/.test(known) || Number(known) > seq) return null;
  const missed = kept.filter((frame) => frame.seq > Number(known));
  return missed.length === seq - Number(known) ? missed : null;
}
