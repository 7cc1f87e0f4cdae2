import { describe, expect, it } from 'vitest';
import { createEventClient } from '../../../src/app/core/events/event-client.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
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
