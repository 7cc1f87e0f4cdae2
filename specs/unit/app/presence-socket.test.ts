import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
import { MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { createPresenceSocket } from '../../../src/app/core/presence/presence-socket.ts';
import { HEARTBEAT } from '../../../src/protocol/product/heartbeat.ts';
import { createStore } from '../../../src/common/store.ts';

function stage(options: { loggedIn?: boolean; userId?: string; token?: string } = {}) {
  const { loggedIn = true, userId = 'mina', token = 'token-1' } = options;
  const loginFlag = createStore(loggedIn);
  const clock = new HandClock();
  const sockets = new FakeSockets();
  const logger = new RecordingLogger();
  const connectivity = new FakeConnectivity();
  let drawn = 0.5;
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
    userId: () => userId || null,
    token: () => token || null,
    sessionStorage,
    openSocket: sockets.open,
    clock,
    connectivity,
    random: () => drawn,
    logger,
  });
  /** The server ends the session, and the app checks it. */
  const doubted = async (isSignedIn: boolean): Promise<void> => {
    sockets.last.drop(4401);
    answers.at(-1)?.resolve(isSignedIn);
    await answers.at(-1)?.promise;
  };
  return {
    loginFlag,
    clock,
    connectivity,
    sockets,
    logger,
    sessionStorage,
    presence,
    answers,
    doubted,
    draw: (next: number) => (drawn = next),
  };
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

  it('PRES-01: is opened when the login flag turns true, and once for several requests', () => {
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

  it('PRES-03: on close with 4401 checks the session first, and stops where there is none', async () => {
    const { sockets, clock, answers, doubted } = stage();
    sockets.last.accept();
    await doubted(false);
    expect(answers).toHaveLength(1);
    clock.advance(600_000);
    expect([sockets.opened.length, clock.pending]).toEqual([1, 0]);
  });

  it('PRES-03: reconnects after a 4401 with a valid session with growing waits, and after 3 s once it was lost otherwise', async () => {
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

  it('PRES-05: a result of the session check opens no socket after the login flag turned false, and no second socket', async () => {
    const { sockets, clock, loginFlag, answers } = stage();
    sockets.last.drop(4401);
    loginFlag.set(false);
    loginFlag.set(true);
    expect(sockets.opened).toHaveLength(2);
    answers[0]?.resolve(true);
    await answers[0]?.promise;
    // The timer of the open socket's silence, and no retry.
    expect(clock.pending).toBe(1);
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

  it('PRES-05: is closed and disposed when the login flag turns false, and does not reconnect', () => {
    const { sockets, presence, clock, loginFlag } = stage();
    sockets.last.accept();
    loginFlag.set(false);
    expect(sockets.last.isClosed).toBe(true);
    expect(presence.status.get()).toBe('disconnected');
    clock.advance(60_000);
    expect(sockets.opened).toHaveLength(1);
  });

  it('PRES-05: a pending retry is cancelled when the login flag turns false', () => {
    const { sockets, clock, loginFlag } = stage();
    sockets.last.close();
    loginFlag.set(false);
    expect(clock.pending).toBe(0);
  });

  it('PRES-05: is closed when the shell is disposed, and ignores the flag afterwards', () => {
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
  ])('B75: only logs %s, truncated, and stays open', (_, message) => {
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
      userId: () => 'mina',
      token: () => 'not a protocol',
      connectivity: new FakeConnectivity(),
      random: () => 0.5,
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

describe('a product socket that dies without a close event', () => {
  it('F03: is detected within 20 s of the last heartbeat, and replaced', () => {
    const { sockets, presence, clock } = stage();
    const [first] = sockets.opened;
    first?.accept();
    for (let beats = 0; beats < 10; beats += 1) {
      clock.advance(8_000);
      first?.receive(HEARTBEAT);
    }
    expect([presence.status.get(), sockets.opened.length]).toEqual(['connected', 1]);
    clock.advance(19_999);
    expect([presence.status.get(), first?.isClosed]).toEqual(['disconnected', true]);
    clock.advance(10_000);
    expect(sockets.opened).toHaveLength(2);
  });

  it('F03: is replaced when it neither opens nor closes', () => {
    const { sockets, clock } = stage();
    clock.advance(19_999);
    expect(sockets.opened[0]?.isClosed).toBe(true);
    clock.advance(10_000);
    expect(sockets.opened).toHaveLength(2);
  });

  it('stays open on any message, and logs no heartbeat', () => {
    const { sockets, presence, clock, logger } = stage();
    sockets.last.accept();
    for (const message of ['anything', HEARTBEAT, 'anything', HEARTBEAT]) {
      clock.advance(17_000);
      sockets.last.receive(message);
    }
    expect(presence.status.get()).toBe('connected');
    expect(logger.of('info')).toEqual(['presence connected', 'presence message', 'presence message']);
  });

  it('F64: is replaced at once when the network returns, whether it is closed or seems open', () => {
    const { sockets, connectivity, clock } = stage();
    sockets.last.accept();
    connectivity.set(false);
    expect(sockets.opened).toHaveLength(1);
    connectivity.set(true);
    expect([sockets.opened.length, sockets.opened[0]?.isClosed]).toEqual([2, true]);
    sockets.last.drop(1006);
    connectivity.set(true);
    expect(sockets.opened).toHaveLength(3);
    clock.advance(17_000);
    expect(sockets.opened).toHaveLength(3);
  });

  it('F64: is replaced at once when the page is shown after a silence, and kept after a recent message', () => {
    const { sockets, connectivity, clock } = stage();
    sockets.last.accept();
    clock.advance(9_000);
    connectivity.comeBack();
    expect(sockets.opened).toHaveLength(1);
    clock.advance(2_000);
    connectivity.comeBack();
    expect([sockets.opened.length, sockets.opened[0]?.isClosed]).toEqual([2, true]);
    sockets.last.drop(1006);
    connectivity.comeBack();
    expect(sockets.opened).toHaveLength(3);
  });

  it('leaves neither a timer nor a listener behind when it is closed on purpose', () => {
    const { sockets, presence, connectivity, clock } = stage();
    sockets.last.accept();
    presence.dispose();
    expect([clock.pending, connectivity.listenerCount]).toEqual([0, 0]);
    connectivity.set(true);
    connectivity.comeBack();
    expect(sockets.opened).toHaveLength(1);
  });
});

describe('the return to a restarted server', () => {
  /** The waits after losses with this close code in a row, for the least and for the greatest random number. */
  function waits(code: number, drawn: number): number[] {
    const { sockets, clock, draw } = stage();
    draw(drawn);
    return Array.from({ length: 5 }, () => {
      const before = clock.wallTime();
      sockets.last.drop(code);
      for (const opened = sockets.opened.length; sockets.opened.length === opened;) clock.advance(100);
      return clock.wallTime() - before;
    });
  }

  it.each([1006, 1012, 1013])('F10 L5: after %i is spread over ten seconds, and finally over a minute', (code) => {
    expect(waits(code, 0)).toEqual([500, 500, 500, 500, 500]);
    expect(waits(code, 0.999_999)).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('L5: starts with the shortest interval again after a message of the server', () => {
    const { sockets, clock, draw } = stage();
    draw(0.999_999);
    for (const wait of [10_000, 20_000]) {
      sockets.last.accept();
      sockets.last.drop(1006);
      clock.advance(wait);
    }
    sockets.last.accept();
    sockets.last.receive(HEARTBEAT);
    sockets.last.drop(1012);
    clock.advance(9_900);
    expect(sockets.opened).toHaveLength(3);
    clock.advance(100);
    expect(sockets.opened).toHaveLength(4);
  });
});
