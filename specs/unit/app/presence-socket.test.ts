import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/app/fakes/deferred.ts';
import { FakeSockets } from '../../../src/app/fakes/fake-sockets.ts';
import { HandClock } from '../../../src/app/fakes/hand-clock.ts';
import { MemoryStorage } from '../../../src/app/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/fakes/recording-logger.ts';
import { createPresenceSocket } from '../../../src/app/presence/presence-socket.ts';
import { createStore } from '../../../src/app/store/store.ts';

function stage(options: { loggedIn?: boolean; userId?: string; token?: string } = {}) {
  const { loggedIn = true, userId = 'mina', token = 'token-1' } = options;
  const loginFlag = createStore(loggedIn);
  const clock = new HandClock();
  const sockets = new FakeSockets();
  const logger = new RecordingLogger();
  const localStorage = new MemoryStorage({ ...(userId && { u_id: userId }), ...(token && { token }) });
  const sessionStorage = new MemoryStorage({ u_id: 'mina' });
  const answers: Deferred<boolean>[] = [];
  const presence = createPresenceSocket({
    wsUrl: 'wss://ws.test',
    loginFlag,
    checkSession() {
      const answer = new Deferred<boolean>();
      answers.push(answer);
      return answer.promise;
    },
    localStorage,
    sessionStorage,
    openSocket: sockets.open,
    clock,
    logger,
  });
  /** The server says that the session is over, and the session is asked for: what comes of it. */
  const doubted = async (isSignedIn: boolean): Promise<void> => {
    sockets.last.drop(4401);
    answers.at(-1)?.resolve(isSignedIn);
    await answers.at(-1)?.promise;
  };
  return { loginFlag, clock, sockets, logger, localStorage, sessionStorage, presence, answers, doubted };
}

describe('presence socket', () => {
  it('PRES-01: is opened at {host}/ws/online/{u_id}, with the token as its subprotocol', () => {
    const { sockets } = stage({ userId: 'a user/1' });
    expect(sockets.opened).toHaveLength(1);
    expect(sockets.last.url).toBe('wss://ws.test/ws/online/a%20user%2F1');
    expect(sockets.last.protocols).toEqual(['token-1']);
  });

  it('PRES-01: is not opened while the login flag is false, even when asked to', () => {
    const { sockets, presence } = stage({ loggedIn: false });
    presence.open();
    expect(sockets.opened).toHaveLength(0);
  });

  it('PRES-01: is not opened without a stored user id', () => {
    const { sockets, presence } = stage({ userId: '' });
    presence.open();
    expect(sockets.opened).toHaveLength(0);
  });

  it('PRES-01: is opened when the login flag turns true, and once however often it is asked to', () => {
    const { sockets, presence, loginFlag } = stage({ loggedIn: false });
    loginFlag.set(true);
    presence.open();
    presence.open();
    expect(sockets.opened).toHaveLength(1);
  });

  it('PRES-02: reports connected on open and disconnected on close', () => {
    const { sockets, presence, logger } = stage();
    expect(presence.status.get()).toBe('disconnected');
    sockets.last.accept();
    expect(presence.status.get()).toBe('connected');
    sockets.last.close();
    expect(presence.status.get()).toBe('disconnected');
    expect(logger.of('info')).toEqual(['presence connected', 'presence disconnected']);
  });

  it('PRES-03: on close, while u_id is in session storage, retries after 3 s', () => {
    const { sockets, clock } = stage();
    sockets.last.close();
    clock.advance(2_999);
    expect(sockets.opened).toHaveLength(1);
    clock.advance(1);
    expect(sockets.opened).toHaveLength(2);
    sockets.last.close();
    clock.advance(3_000);
    expect(sockets.opened).toHaveLength(3);
  });

  it('PRES-03: on close without u_id in session storage does not retry', () => {
    const { sockets, clock, sessionStorage } = stage();
    sessionStorage.clear();
    sockets.last.close();
    clock.advance(60_000);
    expect(sockets.opened).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('PRES-03: on close with 4401 asks for the session first, and stops where there is none', async () => {
    const { sockets, clock, answers, doubted } = stage();
    sockets.last.accept();
    await doubted(false);
    expect(answers).toHaveLength(1);
    clock.advance(600_000);
    expect([sockets.opened.length, clock.pending]).toEqual([1, 0]);
  });

  it('PRES-03: comes back after a 4401 whose session is good, ever later, and after 3 s once it was lost otherwise', async () => {
    const { sockets, clock, doubted } = stage();
    for (const wait of [3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000]) {
      const before = sockets.opened.length;
      sockets.last.accept();
      await doubted(true);
      clock.advance(wait - 1);
      expect(sockets.opened).toHaveLength(before);
      clock.advance(1);
      expect(sockets.opened).toHaveLength(before + 1);
    }
    sockets.last.close();
    clock.advance(3_000);
    await doubted(true);
    clock.advance(3_000);
    expect(sockets.opened).toHaveLength(10);
  });

  it('PRES-05: what is answered of the session after the login flag turned false opens nothing, nor a second one', async () => {
    const { sockets, clock, loginFlag, answers } = stage();
    sockets.last.drop(4401);
    loginFlag.set(false);
    loginFlag.set(true);
    expect(sockets.opened).toHaveLength(2);
    answers[0]?.resolve(true);
    await answers[0]?.promise;
    expect(clock.pending).toBe(0);
    sockets.last.drop(4401);
    loginFlag.set(false);
    answers[1]?.resolve(true);
    await answers[1]?.promise;
    clock.advance(600_000);
    expect([sockets.opened.length, clock.pending]).toEqual([2, 0]);
  });

  it('PRES-04: on error closes the socket, and then retries as after any close', () => {
    const { sockets, clock } = stage();
    const [first] = sockets.opened;
    first?.fail();
    expect(first?.isClosed).toBe(true);
    clock.advance(3_000);
    expect(sockets.opened).toHaveLength(2);
  });

  it('PRES-05: is closed and dropped when the login flag turns false, and does not come back', () => {
    const { sockets, presence, clock, loginFlag } = stage();
    sockets.last.accept();
    loginFlag.set(false);
    expect(sockets.last.isClosed).toBe(true);
    expect(presence.status.get()).toBe('disconnected');
    clock.advance(60_000);
    expect(sockets.opened).toHaveLength(1);
  });

  it('PRES-05: a retry that was due is forgotten when the login flag turns false', () => {
    const { sockets, clock, loginFlag } = stage();
    sockets.last.close();
    loginFlag.set(false);
    expect(clock.pending).toBe(0);
  });

  it('PRES-05: is closed when the shell is torn down, and follows the flag no more', () => {
    const { sockets, presence, loginFlag, clock } = stage();
    presence.dispose();
    expect(sockets.last.isClosed).toBe(true);
    loginFlag.set(false);
    loginFlag.set(true);
    clock.advance(60_000);
    expect(sockets.opened).toHaveLength(1);
  });

  it('only logs the messages it receives', () => {
    const { sockets, logger, presence } = stage();
    sockets.last.accept();
    sockets.last.receive('anything');
    expect(logger.lines.at(-1)).toEqual({ level: 'info', message: 'presence message', detail: 'anything' });
    expect(presence.status.get()).toBe('connected');
  });

  it.each([
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['a page', `<script>alert(1)</script>${'<p>'.repeat(1_000)}`],
    ['a JSON bomb', '['.repeat(300_000)],
    ['bytes', new Uint8Array(1_000_000)],
  ])('B75: only logs %s, cut, and is there as before', (_, message) => {
    const { sockets, logger, presence } = stage();
    sockets.last.accept();
    sockets.last.receive(message);
    const { detail } = logger.lines.at(-1) ?? {};
    expect(typeof detail === 'string' && detail.length <= 201).toBe(true);
    expect([presence.status.get(), sockets.opened.length, sockets.last.isClosed]).toEqual(['connected', 1, false]);
  });

  it('logs an address that cannot be opened instead of throwing', () => {
    const logger = new RecordingLogger();
    createPresenceSocket({
      wsUrl: 'wss://ws.test',
      loginFlag: createStore(true),
      checkSession: () => Promise.resolve(true),
      localStorage: new MemoryStorage({ u_id: 'mina', token: 'not a protocol' }),
      sessionStorage: new MemoryStorage(),
      openSocket: () => {
        throw new SyntaxError('bad subprotocol');
      },
      clock: new HandClock(),
      logger,
    });
    expect(logger.of('error')).toEqual(['a socket could not be opened']);
  });
});
