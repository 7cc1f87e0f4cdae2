import type { Clock } from '../../../src/common/clock.ts';
import type { ProductEvent } from '../../../src/protocol/product/events.ts';
import type { Ids } from '../../exchange/ports.ts';
import { type EventHub, KEPT_MS, type Publication, type SendFrames } from '../event-hub.ts';
import { EventStream } from './event-stream.ts';
import { Followers } from './followers.ts';
import { eventsByUser } from './publications.ts';

/** The stream of one user, and when the last page closed, by the monotonic clock. Null while a page is open. */
interface Kept {
  readonly stream: EventStream;
  leftAt: number | null;
}

/** Sends events from the memory of one process. */
export class MemoryEventHub implements EventHub {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'uuid'>;
  readonly #streams = new Map<string, Kept>();
  readonly #followers = new Followers();
  #sweptAt = 0;

  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'uuid'>) {
    this.#clock = clock;
    this.#ids = ids;
  }

  subscribe(uId: string, after: string | null, send: SendFrames): () => void {
    this.#sweep();
    const kept = this.#present(uId) ?? { stream: new EventStream(this.#ids.uuid()), leftAt: null };
    this.#streams.set(uId, kept);
    kept.leftAt = null;
    kept.stream.open(after, send);
    return () => {
      kept.stream.leave(send);
      if (kept.stream.size === 0) kept.leftAt = this.#clock.now();
    };
  }

  isConnected(uId: string): boolean {
    return this.pagesOf(uId) > 0;
  }

  pagesOf(uId: string): number {
    return this.#streams.get(uId)?.stream.size ?? 0;
  }

  reaches(uId: string): boolean {
    return this.#present(uId) !== undefined;
  }

  publish(uIds: Iterable<string>, event: ProductEvent): void {
    this.publishAll([{ uIds, event }]);
  }

  publishAll(all: readonly Publication[]): void {
    for (const [uId, events] of eventsByUser(all)) this.#present(uId)?.stream.add(events);
  }

  publishHere(all: readonly Publication[]): void {
    this.publishAll(all);
  }

  /** Never calls the listener: a page that resumes gets all events. */
  onResumed(): () => void {
    return () => undefined;
  }

  follow(uId: string, others: Iterable<string>): void {
    if (this.#streams.has(uId)) this.#followers.add(uId, others);
  }

  followersOf(uId: string): string[] {
    return this.#followers.of(uId);
  }

  /** Finds the stream of a connected user, or of one who left so recently that it is kept. */
  #present(uId: string): Kept | undefined {
    const kept = this.#streams.get(uId);
    if (!kept || !this.#isGone(kept)) return kept;
    this.#forget(uId);
    return undefined;
  }

  /** Drops old streams. Runs at most once in a period, not for each of many users who reconnect at once. */
  #sweep(): void {
    const now = this.#clock.now();
    if (now - this.#sweptAt < KEPT_MS) return;
    this.#sweptAt = now;
    for (const [uId, kept] of this.#streams) if (this.#isGone(kept)) this.#forget(uId);
  }

  #forget(uId: string): void {
    this.#streams.delete(uId);
    this.#followers.forget(uId);
  }

  #isGone({ leftAt }: Kept): boolean {
    return leftAt !== null && this.#clock.now() - leftAt > KEPT_MS;
  }
}
