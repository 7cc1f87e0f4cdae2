import { describe, expect, it } from 'vitest';
import { EventHub } from '../../../sim/product/event-hub.ts';
import { createEventClient } from '../../../src/app/core/events/event-client.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
import { HandClock as ServerClock } from '../support/hand-clock.ts';
import { readEvent } from '../../../src/app/core/events/read-event.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import type { PresenceChanged } from '../../../src/protocol/product/events.ts';

const changed = (u_id: string, presence: PresenceChanged['presence'] = 'online'): PresenceChanged => ({
  type: 'presence_changed',
  u_id,
  presence,
  last_seen_at: null,
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function stage() {
  const clock = new HandClock();
  const sockets = new FakeSockets();
  const logger = new RecordingLogger();
  let token: string | null = 'token-1';
  const heard: string[] = [];
  const client = createEventClient({
    wsUrl: 'wss://ws.test',
    token: () => token,
    checkSession() {
      heard.push('session asked for');
      return Promise.resolve(token !== null && token !== 'token that is over');
    },
    readEvent,
    openSocket: sockets.open,
    connectivity: new FakeConnectivity(),
    random: () => 0.5,
    clock,
    logger,
  });
  const undo = client.on('presence_changed', ({ u_id, presence }) => heard.push(`${u_id}:${presence}`));
  client.on('resync', () => heard.push('resync'));
  const open = (seq = 0, resumed = false, stream = 's1'): void => {
    sockets.last.accept();
    sockets.last.receive({ stream, seq, resumed });
  };
  const tell = (seq: number, event: unknown): void => sockets.last.receive({ seq, event });
  const comeBack = (): void => {
    sockets.last.close();
    clock.advance(3_000);
  };
  return {
    clock,
    sockets,
    logger,
    client,
    heard,
    undo,
    open,
    tell,
    comeBack,
    signOut: () => (token = null),
    signInAs: (other: string) => (token = other),
  };
}

describe('live events', () => {
  it('report whether they are connected', () => {
    const { client, open, comeBack, sockets } = stage();
    expect(client.isOpen.get()).toBe(false);
    client.start();
    expect(client.isOpen.get()).toBe(false);
    open();
    expect(client.isOpen.get()).toBe(true);
    sockets.last.close();
    expect(client.isOpen.get()).toBe(false);
    comeBack();
    open();
    client.stop();
    expect(client.isOpen.get()).toBe(false);
  });

  it('PRES-06: come over {ws_url}/ws/events with the token as subprotocol, to the listeners of their type', () => {
    const { client, sockets, heard, undo, open, tell } = stage();
    client.start();
    expect(sockets.last.url).toBe('wss://ws.test/ws/events');
    expect(sockets.last.protocols).toEqual(['token-1']);
    open();
    tell(1, changed('mina', 'in_call'));
    expect(heard).toEqual(['resync', 'mina:in_call']);
    undo();
    tell(2, changed('mina'));
    expect(heard).toHaveLength(2);
  });

  it('F10: of one message are dispatched in order, also beside one that cannot be read', () => {
    const { client, sockets, heard, open, comeBack, logger } = stage();
    client.start();
    open();
    sockets.last.receive([
      { seq: 1, event: changed('mina') },
      { seq: 2, event: { type: 'of a later version' } },
      { seq: 3, event: changed('ken') },
    ]);
    expect(heard).toEqual(['resync', 'mina:online', 'ken:online']);
    expect(logger.of('warn')).toEqual(['an event could not be read']);
    comeBack();
    expect(sockets.last.url).toBe('wss://ws.test/ws/events?after=s1.3');
  });

  it.each(['no json', '{"seq":1,"event":{"type":"other"}}', '{"type":"presence_changed","u_id":"mina"}', '[]', 'null'])(
    'an event that cannot be read is logged and not dispatched: %s',
    (message) => {
      const { client, sockets, heard, logger } = stage();
      client.start();
      sockets.last.receive(message);
      expect(heard).toEqual([]);
      expect(logger.of('warn')).toEqual(['an event could not be read']);
    },
  );

  it.each([
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['a page', '<p>'.repeat(1_000)],
    ['a JSON bomb', '['.repeat(300_000)],
    ['a bomb in a frame', `{"seq":1,"event":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['bytes', new Uint8Array(1_000_000)],
  ])('B75: the log of %s has the length and no content, and the next event is dispatched', (_, message) => {
    const { client, sockets, heard, logger, open, tell } = stage();
    client.start();
    open();
    sockets.last.receive(message);
    const { detail } = logger.lines.at(-1) ?? {};
    expect(detail).toBe(typeof message === 'string' ? `${message.length} characters` : 'no text');
    tell(2, changed('mina'));
    expect(heard).toEqual(['resync', 'mina:online']);
  });

  it('a listener that throws does not stop other listeners', () => {
    const { client, heard, open, tell, logger } = stage();
    client.on('presence_changed', () => {
      throw new Error('broken');
    });
    client.on('presence_changed', () => heard.push('after it'));
    client.start();
    open();
    tell(1, changed('mina'));
    expect(heard).toEqual(['resync', 'mina:online', 'after it']);
    expect(logger.of('error')).toEqual(['a listener of presence_changed failed']);
  });

  it('reconnect after a loss and ask for the events after the last known one, also when that one could not be read', () => {
    const { client, sockets, heard, open, tell, comeBack } = stage();
    client.start();
    open(7);
    tell(8, changed('mina'));
    tell(9, { type: 'of a later version' });
    comeBack();
    expect(sockets.last.url).toBe('wss://ws.test/ws/events?after=s1.9');
    open(9, true);
    tell(10, changed('ken'));
    expect(heard).toEqual(['resync', 'mina:online', 'ken:online']);
  });

  it('emit a reset when the server cannot say which events were missed', () => {
    const { client, heard, open, comeBack } = stage();
    client.start();
    open(7);
    comeBack();
    open(2, false, 's2');
    expect(heard).toEqual(['resync', 'resync']);
  });

  it('S08 S42 do not reconnect when the session has ended: the session is checked instead', async () => {
    const { client, sockets, clock, open, heard, signInAs } = stage();
    client.start();
    open();
    signInAs('token that is over');
    sockets.last.drop(4401);
    await settled();
    clock.advance(60_000);
    expect(heard).toEqual(['resync', 'session asked for']);
    expect(sockets.opened).toHaveLength(1);
  });

  it('S42 reconnect when the session is valid, and continue after the last known event', async () => {
    const { client, sockets, clock, open, heard } = stage();
    client.start();
    open(7);
    sockets.last.drop(4401);
    await settled();
    clock.advance(3_000);
    expect(sockets.opened.map(({ url }) => url)).toEqual([
      'wss://ws.test/ws/events',
      'wss://ws.test/ws/events?after=s1.7',
    ]);
    expect(heard).toEqual(['resync', 'session asked for']);
  });

  it('reconnect with the new session when another tab has signed in meanwhile', async () => {
    const { client, sockets, clock, open, signInAs } = stage();
    client.start();
    open();
    signInAs('token-2');
    sockets.last.drop(4401);
    await settled();
    clock.advance(3_000);
    expect(sockets.last.protocols).toEqual(['token-2']);
  });

  it('do not reconnect after a sign-out, and the next user asks for no events of the previous user', () => {
    const { client, sockets, clock, open, signOut } = stage();
    client.start();
    open(7);
    client.stop();
    client.start();
    expect(sockets.last.url).toBe('wss://ws.test/ws/events');
    signOut();
    sockets.last.close();
    clock.advance(60_000);
    expect(sockets.opened).toHaveLength(2);
  });
});

describe('the hub of events', () => {
  type Told = Exclude<Parameters<Parameters<EventHub['subscribe']>[2]>[0], { stream: string }>;
  const textOf = (message: Told): string =>
    ('seq' in message ? [message] : message)
      .map(({ seq, event }) => `${seq} ${'u_id' in event ? event.u_id : ''}`)
      .join(', ');

  function hubStage() {
    const clock = new ServerClock();
    let ids = 0;
    const hub = new EventHub(clock, { uuid: () => `s${++ids}` });
    const listen = (uId: string, after: string | null = null) => {
      const frames: string[] = [];
      const leave = hub.subscribe(uId, after, (message) => {
        frames.push('stream' in message ? `${message.stream} ${message.seq} ${message.resumed}` : textOf(message));
      });
      return { frames, leave };
    };
    return { clock, hub, listen };
  }

  it('numbers the events of each user, and sends them to every socket of that user and to no other', () => {
    const { hub, listen } = hubStage();
    const [first, second, other] = [listen('a'), listen('a'), listen('b')];
    hub.publish(['a', 'a', 'nobody'], changed('x'));
    hub.publish(['a', 'b'], changed('y'));
    expect(first.frames).toEqual(['s1 0 false', '1 x', '2 y']);
    expect(second.frames).toEqual(first.frames);
    expect(other.frames).toEqual(['s2 0 false', '1 y']);
  });

  it('sends a user that reconnects soon exactly the missed events', () => {
    const { hub, listen, clock } = hubStage();
    const { leave } = listen('a');
    hub.publish(['a'], changed('known'));
    leave();
    expect(hub.isConnected('a')).toBe(false);
    hub.publish(['a'], changed('missed'));
    clock.advance(120_000);
    hub.publish(['a'], changed('missed too'));
    expect(listen('a', 's1.1').frames).toEqual(['s1 1 true', '2 missed', '3 missed too']);
    expect(listen('a', 's1.3').frames).toEqual(['s1 3 true']);
    expect(hub.isConnected('a')).toBe(true);
  });

  it.each([
    ['nothing is known', null],
    ['another stream', 's9.1'],
    ['a number that was never told', 's1.999'],
    ['no number', 's1.x'],
    ['a number below none', 's1.-1'],
    ['more than is kept was missed', 's1.0'],
  ])('answers that it cannot resume where %s', (_, after) => {
    const { hub, listen } = hubStage();
    listen('a');
    for (let at = 0; at < 201; at++) hub.publish(['a'], changed('x'));
    expect(listen('a', after).frames).toEqual(['s1 201 false']);
    expect(listen('a', 's1.1').frames).toHaveLength(201);
  });

  it('drops the events of a user who does not reconnect', () => {
    const { hub, listen, clock } = hubStage();
    listen('a').leave();
    clock.advance(120_001);
    hub.publish(['a'], changed('x'));
    expect(listen('a', 's1.0').frames).toEqual(['s2 0 false']);
  });

  it('keeps the events of an absent user for the same time when the wall clock is changed', () => {
    const { hub, listen, clock } = hubStage();
    listen('a').leave();
    clock.set(3_600_000);
    hub.publish(['a'], changed('x'));
    expect(listen('a', 's1.0').frames).toEqual(['s1 0 true', '1 x']);
  });

  it('F10: sends each user several events in one message, numbered in order, at most a hundred', () => {
    const { hub, listen } = hubStage();
    const [a, b] = [listen('a'), listen('b')];
    hub.publishAll([
      { uIds: ['a', 'b'], event: changed('x') },
      { uIds: ['a'], event: changed('y') },
    ]);
    expect([a.frames, b.frames]).toEqual([
      ['s1 0 false', '1 x, 2 y'],
      ['s2 0 false', '1 x'],
    ]);
    hub.publishAll(Array.from({ length: 150 }, () => ({ uIds: ['b'], event: changed('z') })));
    expect(b.frames.slice(2).map((message) => message.split(', ').length)).toEqual([100, 50]);
    expect(listen('a', 's1.0').frames).toEqual(['s1 0 true', '1 x', '2 y']);
  });

  it('F10: finds the followers of a user without a search of all users, and removes those that left or follow others', () => {
    const { hub, listen, clock } = hubStage();
    const { leave } = listen('a');
    listen('b');
    hub.follow('a', ['a', 'x', 'y']);
    hub.follow('b', ['x']);
    expect([hub.followersOf('x'), hub.followersOf('y'), hub.followersOf('a')]).toEqual([['a', 'b'], ['a'], []]);
    hub.follow(
      'b',
      Array.from({ length: 500 }, (_, at) => `other ${at}`),
    );
    expect(hub.followersOf('x')).toEqual(['a']);
    leave();
    clock.advance(120_001);
    listen('c');
    expect(hub.followersOf('x')).toEqual([]);
    expect(hub.followersOf('y')).toEqual([]);
  });
});
