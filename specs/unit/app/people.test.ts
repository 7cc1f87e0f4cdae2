import { type InfiniteData, QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { createEventClient } from '../../../src/app/core/events/event-client.ts';
import { readEvent } from '../../../src/app/core/events/read-event.ts';
import { fakeProduct } from '../../../src/app/testing/fakes/fake-product.ts';
import { cutOf, draggedBy } from '../../../src/app/features/people/chosen-photo.ts';
import { readFilter, writeFilter } from '../../../src/app/features/people/discover-filter.ts';
import { eachOnce, movedTo } from '../../../src/app/features/people/people-list.ts';
import { patchPages, livePresence } from '../../../src/app/features/people/live-presence.ts';
import { productPages } from '../../../src/app/core/product/product-queries.ts';
import type { Person } from '../../../src/protocol/product/people.ts';
import type { PresenceChanged } from '../../../src/protocol/product/events.ts';
import { somebody } from './product-answers.ts';

const changed = (u_id: string, presence: Person['presence']): PresenceChanged => ({
  type: 'presence_changed',
  u_id,
  presence,
  last_seen_at: null,
});

describe('the lists of people', () => {
  /** Lists of two users. The test gives each answer, and events come over a socket. */
  function shownStage() {
    const queries = new QueryClient();
    const sockets = new FakeSockets();
    const events = createEventClient({
      wsUrl: 'wss://ws.test',
      token: () => 'token-1',
      checkSession: () => Promise.resolve(true),
      readEvent,
      openSocket: sockets.open,
      connectivity: new FakeConnectivity(),
      random: () => 0.5,
      clock: new HandClock(),
      logger: new RecordingLogger(),
    });
    const undo = livePresence(queries, events);
    events.start();
    let seq = 0;
    const answers: ((people: Person[]) => void)[] = [];
    const product = fakeProduct({
      discover: () => new Promise((resolve) => answers.push((items) => resolve({ items, next: null }))),
    });
    const asked = productPages(product, 'discover', { query: {} });
    return {
      queries,
      undo,
      answers,
      ask: () => queries.fetchInfiniteQuery({ ...asked, staleTime: 0 }),
      tell: (event: PresenceChanged) => sockets.last.receive({ seq: (seq += 1), event }),
      resync: () => sockets.last.receive({ stream: 's', seq: 0, resumed: false }),
      isOld: () => queries.getQueryState(asked.queryKey)?.isInvalidated,
      shown: () =>
        queries
          .getQueryData<InfiniteData<{ items: Person[] }>>(asked.queryKey)
          ?.pages.flatMap(({ items }) => items.map(({ u_id, presence }) => `${u_id}:${presence}`)),
    };
  }
  const people = () => [somebody({ u_id: 'a' }), somebody({ u_id: 'b', presence: 'offline' })];

  it('PRES-06: a change of presence is shown at once, and changes no order', async () => {
    const { ask, answers, tell, shown, resync, isOld, undo } = shownStage();
    const asking = ask();
    answers[0]?.(people());
    await asking;
    tell(changed('b', 'online'));
    tell(changed('a', 'offline'));
    tell(changed('unknown', 'online'));
    expect(shown()).toEqual(['a:offline', 'b:online']);
    expect(isOld()).toBe(false);
    resync();
    expect(isOld()).toBe(true);
    undo();
    tell(changed('a', 'online'));
    expect(shown()).toEqual(['a:offline', 'b:online']);
  });

  it('PRES-06: a change during a request is newer than that list, and older than the next one', async () => {
    const { ask, answers, tell, shown } = shownStage();
    const first = ask();
    tell(changed('b', 'online'));
    tell(changed('b', 'in_call'));
    answers[0]?.(people());
    await first;
    expect(shown()).toEqual(['a:online', 'b:in_call']);
    const second = ask();
    answers[1]?.(people());
    await second;
    expect(shown()).toEqual(['a:online', 'b:offline']);
  });
});

describe('the filter above the people', () => {
  const read = (search: string) => readFilter(new URLSearchParams(search));

  it('is stored in the address, and read from it', () => {
    const filter = {
      online: 'yes',
      favorite: 'yes',
      video: 'yes',
      age_from: '25',
      price_to: '60',
      city: '台北',
      language: 'ja',
    } as const;
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(writeFilter({}).toString()).toBe('');
  });

  it('removes unknown values from an address', () => {
    expect(read('only=online,rich,__proto__&age_from=young&price_to=1e9&language=<b>&city=')).toEqual({
      online: 'yes',
    });
  });
});

describe('pages of people', () => {
  const data = {
    pageParams: [null, 'b'],
    pages: [
      { items: [somebody({ u_id: 'a' }), somebody({ u_id: 'b' })], next: 'b' },
      { items: [somebody({ u_id: 'c' }), somebody({ u_id: 'a' })], next: null },
    ],
  };

  it('PRES-06: a change of presence is applied on every page, and changes no order', () => {
    const patchedData = patchPages(data, changed('a', 'in_call'));
    const shown = patchedData?.pages.map(({ items }) => items.map(({ u_id, presence }) => `${u_id}:${presence}`));
    expect(shown).toEqual([
      ['a:in_call', 'b:online'],
      ['c:online', 'a:in_call'],
    ]);
    expect(patchPages(data, changed('nobody', 'online'))).toBe(data);
  });

  it('show each user once, at the first place', () => {
    expect(eachOnce(data.pages.flatMap(({ items }) => items)).map(({ u_id }) => u_id)).toEqual(['a', 'b', 'c']);
  });
});

describe('the pictures of a profile', () => {
  it('are reordered one at a time', () => {
    expect(movedTo(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
    expect(movedTo(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
    expect(movedTo(['a'], 0, 0)).toEqual(['a']);
  });

  const wide = { width: 1_600, height: 1_200, view: { zoom: 1, x: 0.5, y: 0.35 } };
  const tall = { ...wide, width: 900, height: 2_000 };

  it('are cropped to 3:4 around the centre, and a little above it where they are tall', () => {
    expect(cutOf(wide)).toEqual({ x: 350, y: 0, width: 900, height: 1_200 });
    expect(cutOf(tall)).toMatchObject({ x: 0, width: 900, height: 1_200 });
    expect(cutOf(tall).y).toBeCloseTo(280);
  });

  it('are zoomed, and never beyond their edges', () => {
    const near = cutOf({ ...wide, view: { zoom: 2, x: 1, y: 0 } });
    expect(near).toEqual({ x: 1_150, y: 0, width: 450, height: 600 });
    expect(cutOf({ ...wide, view: { zoom: 0, x: -3, y: 9 } })).toEqual({ x: 0, y: 0, width: 900, height: 1_200 });
    expect(cutOf({ ...wide, view: { zoom: 99, x: 9, y: 9 } })).toEqual({ x: 1_300, y: 800, width: 300, height: 400 });
  });

  it('follow a finger: the point below it stays below it, up to the edge of the picture', () => {
    // A quarter of the frame is a quarter of the 900 visible pixels.
    expect(cutOf({ ...wide, view: draggedBy(wide, -0.25, 0.5) })).toMatchObject({ x: 575, y: 0 });
    expect(draggedBy(wide, 0.25, 0)).toMatchObject({ y: 0.35 });
    expect(cutOf({ ...wide, view: draggedBy(wide, 5, 5) }).x).toBe(0);
    expect(cutOf({ ...tall, view: draggedBy(tall, 0, -0.1) }).y).toBeCloseTo(400);
  });
});
