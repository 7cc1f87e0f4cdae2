import { describe, expect, it, vi } from 'vitest';
import { Deferred } from '../../../src/app/fakes/deferred.ts';
import { FakeConnectivity } from '../../../src/app/fakes/fake-connectivity.ts';
import { FakeSockets } from '../../../src/app/fakes/fake-sockets.ts';
import { HandClock } from '../../../src/app/fakes/hand-clock.ts';
import { MemoryStorage } from '../../../src/app/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/fakes/recording-logger.ts';
import type { HttpFetch } from '../../../src/app/ports/http-fetch.ts';
import { createPresenceSocket } from '../../../src/app/presence/presence-socket.ts';
import { createProductClient } from '../../../src/app/product/product-client.ts';
import { createSession } from '../../../src/app/session/session.ts';
import { DEFAULT_CALLING_USER_ID, storageKeys } from '../../../src/app/session/storage-keys.ts';
import { createUserContext } from '../../../src/app/session/user-context.ts';
import { loginAnswer } from './product-answers.ts';

const signedIn = { token: 'old-token', u_id: 'kai', gender_type: 'man', calling_access_token: 'call-token' };

function stage(
  options: { stored?: Record<string, string>; tab?: Record<string, string>; online?: boolean; status?: number } = {},
) {
  const localStorage = new MemoryStorage(options.stored ?? signedIn);
  const sessionStorage = new MemoryStorage(options.tab ?? { u_id: 'kai' });
  const connectivity = new FakeConnectivity(options.online ?? true);
  const logger = new RecordingLogger();
  const sockets = new FakeSockets();
  const answer = new Deferred<Response>();
  if (options.status !== undefined) answer.resolve(new Response('{}', { status: options.status }));
  const doFetch = vi.fn<HttpFetch>(() => answer.promise);
  const user = createUserContext(localStorage);
  const product = createProductClient('https://api.test', doFetch, () => localStorage.getItem('token'));
  const otherTabs = new Set<() => void>();
  const onOtherTab = (listener: () => void) => {
    otherTabs.add(listener);
    return () => otherTabs.delete(listener);
  };
  const onRefused = vi.fn<() => void>();
  const told = { onOtherTab, onRefused };
  const session = createSession({ product, connectivity, localStorage, sessionStorage, user, logger, ...told });
  const presence = createPresenceSocket({
    wsUrl: 'wss://ws.test',
    loginFlag: session.loginFlag,
    checkSession: session.check,
    localStorage,
    sessionStorage,
    openSocket: sockets.open,
    clock: new HandClock(),
    logger,
  });
  const goTo = vi.fn<(path: string) => void>();
  return {
    localStorage,
    sessionStorage,
    connectivity,
    logger,
    sockets,
    answer,
    doFetch,
    user,
    session,
    presence,
    goTo,
    onRefused,
    otherTabs,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('session start', () => {
  it('SES-01: checks a stored token with GET {api host}/auth/refresh_token and the bearer token', () => {
    const { session, goTo, doFetch } = stage();
    session.start(goTo, false);

    const [url = '', init] = doFetch.mock.calls[0] ?? [];
    const request = new Request(url, init);
    expect(request.method).toBe('GET');
    expect(request.url).toBe('https://api.test/auth/refresh_token');
    expect(request.headers.get('authorization')).toBe('Bearer old-token');
    expect(goTo).not.toHaveBeenCalled();
  });

  it.each([401, 500])(
    'SES-02: on failure (%i) the token is removed, local storage cleared, user state cleared and the presence socket closed',
    async (status) => {
      const { session, goTo, sockets, localStorage, user, presence } = stage({ status });
      session.start(goTo, false);
      sockets.last.accept();
      expect(presence.status.get()).toBe('connected');
      await settled();

      expect(session.token()).toBeNull();
      expect(localStorage.size).toBe(0);
      expect(user.user.get()).toEqual({ uId: null, genderType: null });
      expect(session.loginFlag.get()).toBe(false);
      expect(sockets.last.isClosed).toBe(true);
      expect(presence.status.get()).toBe('disconnected');
    },
  );

  it('says that it was refused, once, and not where somebody has ended it here', async () => {
    const { session, goTo, onRefused } = stage({ status: 401 });
    session.start(goTo, false);
    await Promise.all([session.check(), session.check()]);
    expect(onRefused).toHaveBeenCalledTimes(1);
    const left = stage({ status: 401 });
    left.session.start(left.goTo, false);
    left.session.signOut();
    await settled();
    expect(left.onRefused).not.toHaveBeenCalled();
  });

  it('SES-02: an unreachable server is a failure of the request like any other', async () => {
    const { session, goTo, answer } = stage();
    session.start(goTo, false);
    answer.reject(new TypeError('Failed to fetch'));
    await settled();
    expect(session.token()).toBeNull();
  });

  it('SES-02: a page that goes away before it was answered was refused nothing', async () => {
    const { session, goTo, answer, connectivity } = stage();
    session.start(goTo, false);
    connectivity.leaving = true;
    answer.reject(new TypeError('Failed to fetch'));
    await settled();
    expect(session.token()).toBe('old-token');
  });

  it('SES-02: a refused old token does not end the session that was begun meanwhile', async () => {
    const { session, goTo, answer, user } = stage();
    session.start(goTo, false);
    session.signIn(loginAnswer);
    answer.resolve(new Response('{}', { status: 401 }));
    await settled();
    expect(session.token()).toBe('new-token');
    expect(user.user.get().uId).toBe('kai');
  });

  it('SES-03 SCR-03 SCR-04 SCR-05 SCR-06 SCR-07: a page that is open to visitors stays without a stored token', () => {
    const { session, goTo } = stage({ stored: {}, tab: {} });
    session.start(goTo, true);
    expect(goTo).not.toHaveBeenCalled();
  });

  it('SES-01: a stored token is checked on a page that is open to visitors, too', () => {
    const { session, goTo, doFetch } = stage();
    session.start(goTo, true);
    expect([doFetch.mock.calls.length, goTo.mock.calls.length]).toEqual([1, 0]);
  });

  it('SES-03: without a stored token the user is sent to /home', () => {
    const { session, goTo, doFetch } = stage({ stored: {}, tab: {} });
    session.start(goTo, false);
    expect(goTo.mock.calls).toEqual([['/home']]);
    expect(doFetch).not.toHaveBeenCalled();
  });

  it('SES-04: on success nothing further happens', async () => {
    const { session, goTo, doFetch, localStorage, user } = stage({ status: 200 });
    const before = localStorage.size;
    session.start(goTo, false);
    await settled();
    expect(goTo).not.toHaveBeenCalled();
    expect(doFetch).toHaveBeenCalledTimes(1);
    expect(localStorage.size).toBe(before);
    expect(user.user.get()).toEqual({ uId: 'kai', genderType: 'man' });
    expect(session.loginFlag.get()).toBe(true);
  });

  it.each([
    [{ u_id: 'kai' }, true],
    [{ u_id: '' }, false],
    [{}, false],
  ])('SES-05: the login flag starts false and is, with %o in session storage, %s after the load', (tab, expected) => {
    const { session, goTo } = stage({ tab, status: 200 });
    expect(session.loginFlag.get()).toBe(false);
    session.start(goTo, false);
    expect(session.loginFlag.get()).toBe(expected);
  });

  it('SES-08: signing in keeps the session under the names of the specification', () => {
    const { session, localStorage, sessionStorage } = stage({ stored: {}, tab: {} });
    session.signIn(loginAnswer);
    expect(localStorage.getItem('token')).toBe('new-token');
    expect(localStorage.getItem('u_id')).toBe('kai');
    expect(localStorage.getItem('gender_type')).toBe('man');
    expect(localStorage.getItem(storageKeys.callingUserId)).toBe('call-kai');
    expect(localStorage.getItem(storageKeys.callingAccessToken)).toBe('call-token');
    expect(sessionStorage.getItem('u_id')).toBe('kai');
    expect(session.loginFlag.get()).toBe(true);
  });

  it('SES-08: the calling user id is testUser when none is stored', () => {
    expect(DEFAULT_CALLING_USER_ID).toBe('testUser');
  });
});

describe('session start without a network (D16)', () => {
  it('D16: makes no request while the browser reports itself offline, and makes it when it is back', async () => {
    const { session, goTo, doFetch, connectivity } = stage({ online: false, status: 401 });
    session.start(goTo, false);
    expect(doFetch).not.toHaveBeenCalled();
    expect(session.token()).toBe('old-token');

    connectivity.set(false);
    expect(doFetch).not.toHaveBeenCalled();
    connectivity.set(true);
    expect(doFetch).toHaveBeenCalledTimes(1);
    await settled();
    expect(session.token()).toBeNull();
    expect(connectivity.listenerCount).toBe(0);
  });

  it('D16: asks once, however often the network comes and goes', () => {
    const { session, goTo, doFetch, connectivity } = stage({ online: false });
    session.start(goTo, false);
    connectivity.set(true);
    connectivity.set(false);
    connectivity.set(true);
    expect(doFetch).toHaveBeenCalledTimes(1);
  });

  it('D16: stops waiting at the teardown', () => {
    const { session, goTo, connectivity } = stage({ online: false });
    session.start(goTo, false);
    session.dispose();
    expect(connectivity.listenerCount).toBe(0);
  });
});

describe('a session that may be over', () => {
  it.each([
    [401, null],
    [200, 'old-token'],
  ])('S42 is asked for, and left where the server answers %i', async (status, token) => {
    const { session, doFetch } = stage({ status });
    const answers = [session.check(), session.check()];
    expect(await Promise.all(answers)).toEqual([token !== null, token !== null]);
    expect(doFetch).toHaveBeenCalledTimes(1);
    expect(session.token()).toBe(token);
    session.clear();
    expect(await session.check()).toBe(false);
    expect(doFetch).toHaveBeenCalledTimes(1);
  });

  it('D16 is asked for once when the network is back, however often it was doubted', async () => {
    const { session, doFetch, connectivity } = stage({ online: false, status: 401 });
    const answers = [session.check(), session.check()];
    expect([doFetch.mock.calls.length, connectivity.listenerCount]).toEqual([0, 1]);
    connectivity.set(true);
    expect(await Promise.all(answers)).toEqual([false, false]);
    expect([doFetch.mock.calls.length, session.token()]).toEqual([1, null]);
  });
});

describe('a session that was doubted once and stands', () => {
  it('S42 is asked for again when it is doubted again', async () => {
    const { session, doFetch } = stage({ status: 200 });
    await session.check();
    await session.check();
    expect(doFetch).toHaveBeenCalledTimes(2);
  });

  it('S42 says that somebody is signed in where another session was begun while the old one was refused', async () => {
    const { session, answer } = stage();
    const asked = session.check();
    session.signIn(loginAnswer);
    answer.resolve(new Response('{}', { status: 401 }));
    expect(await asked).toBe(true);
  });
});

describe('signing out', () => {
  it('S42 ends the session on the server and leaves nothing in either storage', async () => {
    const { session, goTo, doFetch, localStorage, sessionStorage, user, sockets } = stage({
      tab: { u_id: 'kai', ringback_register_man: '{}' },
      status: 200,
    });
    session.start(goTo, false);
    await settled();
    session.signOut();
    await vi.waitUntil(() => doFetch.mock.calls.length > 1);
    const [url = '', init] = doFetch.mock.calls.at(-1) ?? [];
    const request = new Request(url, init);
    expect([request.method, request.url]).toEqual(['POST', 'https://api.test/auth/logout']);
    expect(request.headers.get('authorization')).toBe('Bearer old-token');
    expect([localStorage.size, sessionStorage.size, user.user.get().uId]).toEqual([0, 0, null]);
    expect(sockets.last.isClosed).toBe(true);
  });

  it('S42 is done here also where the server cannot be reached', async () => {
    const { session, goTo, answer, doFetch, localStorage, logger } = stage({ online: false });
    session.start(goTo, false);
    session.signOut();
    await vi.waitUntil(() => doFetch.mock.calls.length > 0);
    answer.reject(new TypeError('Failed to fetch'));
    await settled();
    expect(localStorage.size).toBe(0);
    expect(logger.of('warn')).toEqual(['the server was not told of the sign-out']);
  });

  it('F53 in another tab signs this one out, and closes its presence socket', () => {
    const { session, goTo, localStorage, user, sockets, otherTabs } = stage();
    session.start(goTo, false);
    for (const tell of otherTabs) tell();
    expect(user.user.get().uId).toBe('kai');
    localStorage.clear();
    for (const tell of otherTabs) tell();
    expect(user.user.get()).toEqual({ uId: null, genderType: null });
    expect([session.loginFlag.get(), sockets.last.isClosed]).toEqual([false, true]);
    session.dispose();
    expect(otherTabs.size).toBe(0);
  });
});
