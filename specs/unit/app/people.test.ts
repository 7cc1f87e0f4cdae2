import { describe, expect, it } from 'vitest';
import { fakeProduct } from '../../../src/app/fakes/fake-product.ts';
import { RecordingLogger } from '../../../src/app/fakes/recording-logger.ts';
import { cutOf, draggedBy } from '../../../src/app/people/chosen-photo.ts';
import { readFilter, writeFilter } from '../../../src/app/people/discover-filter.ts';
import { eachOnce } from '../../../src/app/people/each-once.ts';
import { movedTo } from '../../../src/app/people/moved-to.ts';
import { patchPages } from '../../../src/app/people/presence-patch.ts';
import { createPeopleStore } from '../../../src/app/people/people-store.ts';
import type { Person } from '../../../src/protocol/product/people.ts';
import type { PresenceChanged } from '../../../src/protocol/product/events.ts';
import { somebody } from './product-answers.ts';

function peopleStage(answers: (Person[] | Error)[]) {
  const logger = new RecordingLogger();
  const people = createPeopleStore({
    token: () => 'token-1',
    logger,
    product: fakeProduct({
      people: () => {
        const answer = answers.shift() ?? [];
        return answer instanceof Error ? Promise.reject(answer) : { users: answer };
      },
    }),
  });
  const shown = (): string[] => {
    const state = people.state.get();
    return state.kind === 'ready' ? state.people.map((person) => `${person.u_id}:${person.presence}`) : [state.kind];
  };
  return { people, logger, shown };
}

const changed = (u_id: string, presence: Person['presence']): PresenceChanged => ({
  type: 'presence_changed',
  u_id,
  presence,
  last_seen_at: null,
});

describe('the other users', () => {
  it('PRES-06: shows who is there first', async () => {
    const { people, shown } = peopleStage([
      [
        somebody({ u_id: 'a', presence: 'offline', last_seen_at: 5 }),
        somebody({ u_id: 'b', presence: 'in_call' }),
        somebody({ u_id: 'c', presence: 'offline', last_seen_at: 9 }),
        somebody({ u_id: 'd', presence: 'online' }),
      ],
    ]);
    expect(shown()).toEqual(['loading']);
    await people.load();
    expect(shown()).toEqual(['d:online', 'b:in_call', 'c:offline', 'a:offline']);
  });

  it('PRES-06: a change told while the list is on its way is newer than the list', async () => {
    let answer: (people: Person[]) => void = () => undefined;
    const people = createPeopleStore({
      token: () => 'token-1',
      logger: new RecordingLogger(),
      product: fakeProduct({ people: () => new Promise((resolve) => (answer = (users) => resolve({ users }))) }),
    });
    const presenceOfB = () => people.find('b')?.presence;
    for (const presence of ['online', 'in_call'] as const) {
      const loaded = people.load();
      people.apply(changed('b', presence));
      answer([somebody({ u_id: 'a' }), somebody({ u_id: 'b', presence: 'offline' })]);
      await loaded;
      expect(presenceOfB()).toBe(presence);
    }
    const again = people.load();
    answer([somebody({ u_id: 'b', presence: 'offline' })]);
    await again;
    expect(presenceOfB()).toBe('offline');
  });

  it('PRES-06: a change of presence is seen at once, and moves nobody', async () => {
    const { people, shown } = peopleStage([[somebody({ u_id: 'a' }), somebody({ u_id: 'b', presence: 'offline' })]]);
    await people.load();
    people.apply(changed('b', 'online'));
    people.apply(changed('a', 'offline'));
    people.apply(changed('unknown', 'online'));
    expect(shown()).toEqual(['a:offline', 'b:online']);
  });

  it('keeps the order on the screen when it asks again, and puts newcomers behind', async () => {
    const { people, shown } = peopleStage([
      [somebody({ u_id: 'a' }), somebody({ u_id: 'b', presence: 'offline' })],
      [somebody({ u_id: 'new' }), somebody({ u_id: 'b' }), somebody({ u_id: 'a', presence: 'offline' })],
    ]);
    await people.load();
    await people.load();
    expect(shown()).toEqual(['a:offline', 'b:online', 'new:online']);
  });

  it('says that it failed, and can be asked again', async () => {
    const { people, shown, logger } = peopleStage([new Error('down'), [somebody({ u_id: 'a' })]]);
    await people.load();
    expect(shown()).toEqual(['failed']);
    expect(logger.of('error')).toEqual(['the list of people did not load']);
    const retry = people.load();
    expect(shown()).toEqual(['loading']);
    await retry;
    expect(shown()).toEqual(['a:online']);
  });

  it('keeps those it shows when asking again fails', async () => {
    const { people, shown } = peopleStage([[somebody({ u_id: 'a' })], new Error('down')]);
    await people.load();
    await people.load();
    expect(shown()).toEqual(['a:online']);
  });

  it('an answer that comes after the user has gone is not shown', async () => {
    const { people, shown } = peopleStage([[somebody({ u_id: 'a' })]]);
    const load = people.load();
    people.clear();
    await load;
    expect(shown()).toEqual(['loading']);
  });
});

describe('the filter above the people', () => {
  const read = (search: string) => readFilter(new URLSearchParams(search));

  it('lives in the address, and comes back from it', () => {
    const filter = {
      online: 'yes',
      video: 'yes',
      age_from: '25',
      price_to: '60',
      city: '台北',
      language: 'ja',
    } as const;
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(writeFilter({}).toString()).toBe('');
  });

  it('leaves out of an address what it does not know', () => {
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

  it('PRES-06: a change of presence is put in place on whatever page, and moves nobody', () => {
    const patchedData = patchPages(data, changed('a', 'in_call'));
    const shown = patchedData?.pages.map(({ items }) => items.map(({ u_id, presence }) => `${u_id}:${presence}`));
    expect(shown).toEqual([
      ['a:in_call', 'b:online'],
      ['c:online', 'a:in_call'],
    ]);
    expect(patchPages(data, changed('nobody', 'online'))).toBe(data);
  });

  it('show each once, at the first place', () => {
    expect(eachOnce(data.pages.flatMap(({ items }) => items)).map(({ u_id }) => u_id)).toEqual(['a', 'b', 'c']);
  });
});

describe('the pictures of a profile', () => {
  it('are put in another order one at a time', () => {
    expect(movedTo(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
    expect(movedTo(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
    expect(movedTo(['a'], 0, 0)).toEqual(['a']);
  });

  const wide = { width: 1_600, height: 1_200, view: { zoom: 1, x: 0.5, y: 0.35 } };
  const tall = { ...wide, width: 900, height: 2_000 };

  it('are cut to 3:4 about their middle, a little higher where they are tall', () => {
    expect(cutOf(wide)).toEqual({ x: 350, y: 0, width: 900, height: 1_200 });
    expect(cutOf(tall)).toMatchObject({ x: 0, width: 900, height: 1_200 });
    expect(cutOf(tall).y).toBeCloseTo(280);
  });

  it('are cut nearer, and never beyond their edges', () => {
    const near = cutOf({ ...wide, view: { zoom: 2, x: 1, y: 0 } });
    expect(near).toEqual({ x: 1_150, y: 0, width: 450, height: 600 });
    expect(cutOf({ ...wide, view: { zoom: 0, x: -3, y: 9 } })).toEqual({ x: 0, y: 0, width: 900, height: 1_200 });
    expect(cutOf({ ...wide, view: { zoom: 99, x: 9, y: 9 } })).toEqual({ x: 1_300, y: 800, width: 300, height: 400 });
  });

  it('follow a finger: what it is on stays below it, as far as there is more of the picture', () => {
    // A quarter of the frame is a quarter of the 900 that are seen.
    expect(cutOf({ ...wide, view: draggedBy(wide, -0.25, 0.5) })).toMatchObject({ x: 575, y: 0 });
    expect(draggedBy(wide, 0.25, 0)).toMatchObject({ y: 0.35 });
    expect(cutOf({ ...wide, view: draggedBy(wide, 5, 5) }).x).toBe(0);
    expect(cutOf({ ...tall, view: draggedBy(tall, 0, -0.1) }).y).toBeCloseTo(400);
  });
});
