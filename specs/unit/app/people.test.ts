import { describe, expect, it, vi } from 'vitest';
import { FakeSockets } from '../../../src/app/fakes/fake-sockets.ts';
import { HandClock } from '../../../src/app/fakes/hand-clock.ts';
import { RecordingLogger } from '../../../src/app/fakes/recording-logger.ts';
import { citiesOf, filterPeople } from '../../../src/app/people/people-filter.ts';
import { createPeopleStore } from '../../../src/app/people/people-store.ts';
import { createPresenceEvents } from '../../../src/app/presence/presence-events.ts';
import type { Person, PresenceChanged } from '../../../src/protocol/product.ts';
import { somebody } from './product-answers.ts';

function peopleStage(answers: (Person[] | Error)[]) {
  const logger = new RecordingLogger();
  const people = createPeopleStore({
    token: () => 'token-1',
    logger,
    product: {
      people: () => {
        const answer = answers.shift() ?? [];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
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
      product: { people: () => new Promise((resolve) => (answer = resolve)) },
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

describe('live events', () => {
  function eventsStage() {
    const clock = new HandClock();
    const sockets = new FakeSockets();
    const logger = new RecordingLogger();
    let token: string | null = 'token-1';
    const onOpen = vi.fn<() => void>();
    const onChange = vi.fn<(change: PresenceChanged) => void>();
    const events = createPresenceEvents({
      wsUrl: 'wss://ws.test',
      token: () => token,
      onOpen,
      onChange,
      openSocket: sockets.open,
      clock,
      logger,
    });
    return { clock, sockets, logger, events, onOpen, onChange, signOut: () => (token = null) };
  }

  it('PRES-06: come over {ws_url}/ws/events with the token as subprotocol', () => {
    const { events, sockets, onOpen, onChange } = eventsStage();
    events.start();
    expect(sockets.last.url).toBe('wss://ws.test/ws/events');
    expect(sockets.last.protocols).toEqual(['token-1']);
    sockets.last.accept();
    expect(onOpen).toHaveBeenCalledTimes(1);
    sockets.last.receive(changed('mina', 'in_call'));
    expect(onChange).toHaveBeenCalledWith(changed('mina', 'in_call'));
  });

  it.each(['no json', '{"type":"other"}', '{"type":"presence_changed","u_id":"mina","presence":"asleep"}'])(
    'what is not understood is logged and not acted on: %s',
    (message) => {
      const { events, sockets, onChange, logger } = eventsStage();
      events.start();
      sockets.last.receive(message);
      expect(onChange).not.toHaveBeenCalled();
      expect(logger.of('warn')).toEqual(['an event was not understood']);
    },
  );

  it('come back after a loss, and ask for what was missed', () => {
    const { events, sockets, clock, onOpen } = eventsStage();
    events.start();
    sockets.last.accept();
    sockets.last.close();
    clock.advance(3_000);
    sockets.last.accept();
    expect(onOpen).toHaveBeenCalledTimes(2);
  });

  it('do not come back once nobody is signed in', () => {
    const { events, sockets, clock, signOut } = eventsStage();
    events.start();
    signOut();
    sockets.last.close();
    clock.advance(60_000);
    expect(sockets.opened).toHaveLength(1);
  });
});

describe('the filter above the people', () => {
  const now = Date.UTC(2026, 10, 20);
  const day = 24 * 60 * 60 * 1000;
  const everybody = [
    somebody({ u_id: 'a', city: '台北', joined_at: now - 8 * day }),
    somebody({ u_id: 'b', city: '台中', joined_at: now - 7 * day, presence: 'offline' }),
    somebody({ u_id: 'c', city: '台北', joined_at: 0, accepts_video: false }),
    somebody({ u_id: 'd', city: '高雄', joined_at: 0, verified: false, presence: 'in_call' }),
  ];
  const found = (traits: ('online' | 'new' | 'video' | 'verified')[], city: string | null = null): string =>
    filterPeople(everybody, { traits: new Set(traits), city }, now)
      .map((person) => person.u_id)
      .join('');

  it('narrows by each chip, and further by several', () => {
    expect(found([])).toBe('abcd');
    expect(found(['online'])).toBe('ac');
    expect(found(['new'])).toBe('b');
    expect(found(['video'])).toBe('abd');
    expect(found(['verified'])).toBe('abc');
    expect(found(['online', 'video'])).toBe('a');
    expect(found([], '台北')).toBe('ac');
    expect(found(['video'], '台北')).toBe('a');
  });

  it('offers each city once', () => {
    expect(citiesOf(everybody, 'zh-Hant').toSorted()).toEqual(['台中', '台北', '高雄'].toSorted());
  });
});
