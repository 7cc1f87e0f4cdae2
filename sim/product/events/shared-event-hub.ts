import * as v from 'valibot';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { ProductEvent } from '../../../src/protocol/product/events.ts';
import type { NodeLink, SharedTable } from '../../cluster/node-link.ts';
import { StateUnreachable } from '../../cluster/shared-state.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { Ids } from '../../exchange/ports.ts';
import {
  type EventHub,
  KEPT_EVENTS,
  KEPT_MS,
  type Publication,
  type ResumedListener,
  type SendFrames,
} from '../event-hub.ts';
import { chunksOf } from '../many-rows.ts';
import { type Arrival, EventsHere } from './events-here.ts';
import { FOLLOWED, Followers } from './followers.ts';
import { KeyedWork } from './keyed-work.ts';
import { eventsByUser } from './publications.ts';

/** How often a node prolongs the streams of its pages. Milliseconds. */
const REFRESH_MS = KEPT_MS / 4;
/**
 * The time for which a node sends events of a user without a page to the shared state. It is longer than the life of
 * the stream there, so a page that resumes misses none.
 */
const LEFT_MS = KEPT_MS + 10_000;
/** The time for which a node waits for an event whose successor has come. Milliseconds. */
const GAP_MS = 100;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Pick<Log, 'error'>;
  readonly link: NodeLink;
}

/** An event as another node sends it. A newer version may have events that this one cannot read. */
const anyEvent = v.custom<ProductEvent>((value) => v.is(v.looseObject({ type: v.string() }), value));
const arrived = v.object({
  uId: v.string(),
  id: v.string(),
  last: v.pipe(v.number(), v.safeInteger()),
  events: v.array(anyEvent),
});
/** A stream may have lost an event. The nodes with a page of the user look at it again. */
const lost = v.object({ uId: v.string() });
const followed = v.object({ uId: v.string(), others: v.array(v.string()) });

/** The keys of the shared state: the stream of a user, its events, and the users that the user follows. */
const streamKey = (uId: string): string => `product stream ${uId}`;
const eventsKey = (id: string): string => `product events ${id}`;
const followsKey = (uId: string): string => `product follows ${uId}`;

/**
 * Sends events to the pages at all nodes of a cluster. The shared state numbers the events of a user and keeps them.
 * Each event is also a message to the other nodes, which send it to their pages.
 *
 * Without the shared state, a node sends events to its own pages alone. They are then in a stream of this node. The
 * pages elsewhere learn that they may have missed events when the state is reachable again.
 */
export class SharedEventHub implements EventHub {
  readonly #with: Dependencies;
  readonly #pages: SharedTable;
  readonly #here = new Map<string, EventsHere>();
  readonly #followers = new Followers();
  readonly #resumed = new Set<ResumedListener>();
  /** The work on the stream of each user, one after the other. */
  readonly #work: KeyedWork;
  /** The events of each user that wait for the work in progress. */
  readonly #outgoing = new Map<string, ProductEvent[]>();
  /** When the last page of a user closed, by the monotonic clock. */
  readonly #left = new Map<string, number>();
  /** The users with an event that the shared state has not got. */
  readonly #missed = new Set<string>();
  readonly #stops: (() => void)[] = [];
  /** Until then, this node may not have learnt which users have left. By the monotonic clock. */
  #sureAt: number;
  #refresh: Timer;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
    const { clock, link, log } = dependencies;
    this.#work = new KeyedWork((error) => log.error('events were not sent', { error }));
    this.#pages = link.table('pages');
    this.#sureAt = clock.now() + LEFT_MS;
    this.#stops.push(
      this.#pages.onChange((uId) => this.#noteLeft(uId)),
      link.receive('product events', (message) => this.#receive(message)),
      link.receive('product events lost', (message) => {
        if (v.is(lost, message)) this.#join(message.uId);
      }),
      link.receive('product follows', (message) => {
        if (v.is(followed, message) && this.#here.has(message.uId)) this.#followers.add(message.uId, message.others);
      }),
      link.state.onReachable((isReachable) => isReachable && this.#repair()),
      link.onMissed(() => this.#joinAll()),
      link.onLost(() => this.#joinAll()),
    );
    this.#refresh = clock.after(REFRESH_MS, () => this.#prolong());
  }

  subscribe(uId: string, after: string | null, send: SendFrames): () => void {
    const here = this.#here.get(uId) ?? new EventsHere(this.#with.ids.uuid());
    this.#here.set(uId, here);
    here.wait(after, send);
    this.#left.delete(uId);
    this.#pages.set(uId, String(here.size));
    this.#join(uId);
    return () => {
      here.leave(send);
      if (this.#here.get(uId) !== here) return;
      this.#pages.set(uId, here.size === 0 ? null : String(here.size));
      if (here.size === 0) this.#leave(uId, here);
    };
  }

  isConnected(uId: string): boolean {
    return this.#here.has(uId) || this.#pages.elsewhere(uId).size > 0;
  }

  pagesOf(uId: string): number {
    const elsewhere = [...this.#pages.elsewhere(uId).values()].map(Number);
    return elsewhere.reduce((sum, count) => sum + count, this.#here.get(uId)?.size ?? 0);
  }

  reaches(uId: string): boolean {
    if (this.isConnected(uId)) return true;
    const now = this.#with.clock.now();
    return (
      !this.#with.link.state.isReachable || now < this.#sureAt || now - (this.#left.get(uId) ?? -Infinity) < LEFT_MS
    );
  }

  publish(uIds: Iterable<string>, event: ProductEvent): void {
    this.publishAll([{ uIds, event }]);
  }

  publishAll(all: readonly Publication[]): void {
    for (const [uId, events] of eventsByUser(all)) {
      if (!this.reaches(uId)) continue;
      const waiting = this.#outgoing.get(uId);
      if (waiting) {
        waiting.push(...events);
        continue;
      }
      this.#outgoing.set(uId, events);
      this.#work.add(uId, async () => {
        this.#outgoing.delete(uId);
        await this.#append(uId, events);
      });
    }
  }

  publishHere(all: readonly Publication[]): void {
    for (const [uId, events] of eventsByUser(all)) this.#here.get(uId)?.stream.addUnnumbered(events);
  }

  onResumed(listener: ResumedListener): () => void {
    this.#resumed.add(listener);
    return () => this.#resumed.delete(listener);
  }

  follow(uId: string, others: Iterable<string>): void {
    if (!this.isConnected(uId)) return;
    const { link } = this.#with;
    const added = [...others];
    if (this.#here.has(uId)) this.#followers.add(uId, added);
    for (const node of this.#pages.elsewhere(uId).keys()) link.send(node, 'product follows', { uId, others: added });
    if (added.length === 0) return;
    // A page that reconnects at another node does not ask for its lists again.
    this.#work.add(uId, async () => {
      await this.#ifReachable(() => link.state.append(followsKey(uId), added, FOLLOWED, KEPT_MS));
    });
  }

  followersOf(uId: string): string[] {
    return this.#followers.of(uId);
  }

  /** Resolves when all events are sent, as far as the shared state accepts them. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  dispose(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#refresh.cancel();
    for (const here of this.#here.values()) here.dispose();
  }

  /** Sends events through the shared state. Without it, sends them to the pages here. */
  async #append(uId: string, events: readonly ProductEvent[]): Promise<void> {
    if (await this.#ifReachable(() => this.#number(uId, events))) return;
    this.#missed.add(uId);
    const here = this.#here.get(uId);
    if (!here) return;
    here.part(this.#with.ids.uuid());
    here.stream.add(events);
  }

  /** Adds events to the shared stream, and sends them with their numbers to all nodes. */
  async #number(uId: string, events: readonly ProductEvent[]): Promise<void> {
    const { link } = this.#with;
    const here = this.#here.get(uId);
    if (here && !here.isJoined) await this.#read(uId, here);
    const before = here?.stream.seq ?? 0;
    const id = here ? here.stream.id : await link.state.get(streamKey(uId));
    if (id === null) {
      // No page is open. If one is, the shared state has lost its data.
      if (this.#pages.elsewhere(uId).size > 0) link.broadcast('product events lost', { uId });
      return;
    }
    const texts = events.map((event) => JSON.stringify(event));
    const last = await link.state.append(eventsKey(id), texts, KEPT_EVENTS, KEPT_MS);
    if (here && last - events.length < before) {
      await this.#breakOff(uId, here);
      return this.#number(uId, events);
    }
    link.broadcast('product events', { uId, id, last, events });
    this.#arrive(uId, { id, last, events });
  }

  /** Ends a stream whose events the shared state has lost. Their numbers must not come again. */
  async #breakOff(uId: string, here: EventsHere): Promise<void> {
    const { link } = this.#with;
    await link.state.remove([streamKey(uId)]);
    link.broadcast('product events lost', { uId });
    here.isJoined = false;
  }

  #receive(message: unknown): void {
    if (v.is(arrived, message)) this.#arrive(message.uId, message);
  }

  /** Sends events of the shared state to the pages here. */
  #arrive(uId: string, arrival: Arrival): void {
    const here = this.#here.get(uId);
    if (!here || here.arrive(arrival)) return;
    // An earlier event may still be on its way.
    here.waitForGap(this.#with.clock, GAP_MS, () => this.#join(uId));
  }

  /** Reads the stream of a user from the shared state, and sends the pages here what they miss. */
  #join(uId: string): void {
    const here = this.#here.get(uId);
    if (!here || here.isReading) return;
    here.isReading = true;
    this.#work.add(uId, async () => {
      here.isReading = false;
      if (this.#here.get(uId) !== here) return;
      if (!(await this.#ifReachable(() => this.#read(uId, here)))) here.part(this.#with.ids.uuid());
    });
  }

  async #read(uId: string, here: EventsHere): Promise<void> {
    const { link } = this.#with;
    const isFirst = !here.hasFollowed;
    const [before, seqBefore] = [here.isJoined ? here.stream.id : null, here.stream.seq];
    const id = await this.#idOf(uId);
    const [{ last, entries }, shown] = await Promise.all([
      link.state.list(eventsKey(id)),
      isFirst ? link.state.list(followsKey(uId)) : null,
    ]);
    if (id === before && last < seqBefore) {
      await this.#breakOff(uId, here);
      return this.#read(uId, here);
    }
    if (shown) {
      here.hasFollowed = true;
      this.#followers.add(uId, [...shown.entries, ...this.#followers.followedBy(uId)]);
    }
    const isResumed = here.join({ id, last, events: entries.map((entry) => v.parse(anyEvent, JSON.parse(entry))) });
    if (isResumed) for (const listener of [...this.#resumed]) listener(uId, this.#followers.followedBy(uId));
  }

  /** Returns the id of the stream of a user. Begins a stream if there is none. */
  async #idOf(uId: string): Promise<string> {
    const { ids, link } = this.#with;
    const known = await link.state.get(streamKey(uId));
    if (known !== null) return known;
    const made = ids.uuid();
    return (await link.state.setAbsent(streamKey(uId), made, KEPT_MS)) ?? made;
  }

  #leave(uId: string, here: EventsHere): void {
    here.dispose();
    this.#here.delete(uId);
    this.#followers.forget(uId);
    this.#noteLeft(uId);
    const keys = [streamKey(uId), eventsKey(here.stream.id), followsKey(uId)];
    this.#work.add(uId, async () => {
      await this.#ifReachable(() => this.#with.link.state.prolong(keys, KEPT_MS));
    });
  }

  #noteLeft(uId: string): void {
    if (this.isConnected(uId)) this.#left.delete(uId);
    else this.#left.set(uId, this.#with.clock.now());
  }

  /** Marks the streams that lack an event, and reads all streams of pages here. */
  #repair(): void {
    const { clock, link } = this.#with;
    this.#sureAt = clock.now() + LEFT_MS;
    for (const uId of [...this.#missed]) {
      this.#missed.delete(uId);
      this.#work.add(uId, async () => {
        if (await this.#ifReachable(() => link.state.remove([streamKey(uId)]))) {
          link.broadcast('product events lost', { uId });
        } else this.#missed.add(uId);
      });
    }
    this.#joinAll();
  }

  #joinAll(): void {
    for (const uId of this.#here.keys()) this.#join(uId);
  }

  /** Prolongs the life of the streams of pages here. A stream that the shared state has lost begins again. */
  #prolong(): void {
    const { clock, link } = this.#with;
    this.#refresh = clock.after(REFRESH_MS, () => this.#prolong());
    for (const [uId, at] of this.#left) if (clock.now() - at > LEFT_MS) this.#left.delete(uId);
    for (const uIds of chunksOf([...this.#here.keys()])) {
      this.#work.add('', async () => {
        const joined = uIds.flatMap((uId) => {
          const here = this.#here.get(uId);
          return here?.isJoined === true ? [{ uId, here, hasEvents: here.stream.seq > 0 }] : [];
        });
        const keys = joined.flatMap(({ uId, here }) => [streamKey(uId), eventsKey(here.stream.id), followsKey(uId)]);
        await this.#ifReachable(async () => {
          const found = await link.state.prolong(keys, KEPT_MS);
          for (const [at, { uId, hasEvents }] of joined.entries()) {
            if (found[3 * at] !== true || (hasEvents && found[3 * at + 1] !== true)) this.#join(uId);
          }
        });
      });
    }
  }

  /** Runs work with the shared state. Returns false when it failed. */
  async #ifReachable(work: () => Promise<unknown>): Promise<boolean> {
    if (!this.#with.link.state.isReachable) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof StateUnreachable)) this.#with.log.error('events were not shared', { error });
      return false;
    }
  }
}
