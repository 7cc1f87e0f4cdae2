import { describe, expect, it, vi } from 'vitest';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
import { MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import type { HttpFetch } from '../../../src/app/core/ports/ports.ts';
import { createPresenceSocket } from '../../../src/app/core/presence/presence-socket.ts';
import { createProductClient } from '../../../src/app/core/product/product-client.ts';
import { createSession } from '../../../src/app/core/session/session.ts';
import { storageKeys } from '../../../src/app/core/session/storage-keys.ts';
import { createUserContext } from '../../../src/app/core/session/user-context.ts';
import { loginAnswer } from './product-answers.ts';

/** The body of a refusal of the product server. */
const SAID = JSON.stringify({ code: 'signed_out', message: 'Sign in first.' });
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
  if (options.status !== undefined) answer.resolve(new Response(SAID, { status: options.status }));
  const doFetch = vi.fn<HttpFetch>(() => answer.promise);
  const user = createUserContext(localStorage);
  const clock = new HandClock();
  const product = createProductClient('https://api.test', doFetch, () => session.token());
  const otherTabs = new Set<() => void>();
  const onOtherTab = (listener: () => void) => {
    otherTabs.add(listener);
    return () => otherTabs.delete(listener);
  };
  const onRefused = vi.fn<() => void>();
  const told = { onOtherTab, onRefused };
  const session = createSession({
    product,
    connectivity,
    clock,
    random: () => 0.5,
    localStorage,
    sessionStorage,
    user,
    logger,
    ...told,
  });
  const presence = createPresenceSocket({
    wsUrl: 'wss://ws.test',
    loginFlag: session.loginFlag,
    checkSession: session.check,
    userId: () => user.user.get().uId,
    token: session.token,
    sessionStorage,
    openSocket: sockets.open,
    clock,
    connectivity: new FakeConnectivity(),
    random: () => 0.5,
    logger,
  });
  const goTo = vi.fn<(path: string) => void>();
  return {
    localStorage,
    sessionStorage,
    connectivity,
    clock,
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

  it.each([401, 403])(
    'SES-02: on a refusal (%i) the token is removed, local storage cleared, user state cleared and the presence socket closed',
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

  it.each([401, 403])('SES-02: an error page of a proxy that answers %i ends no session', async (status) => {
    const { session, goTo, answer, logger } = stage();
    answer.resolve(new Response('<html>Sign in to the network</html>', { status }));
    session.start(goTo, false);
    await vi.waitUntil(() => logger.of('warn').length > 0);
    expect([session.token(), logger.of('warn')]).toEqual(['old-token', ['the stored session could not be checked']]);
    session.dispose();
  });

  it('reports the refusal once, and not when the user ended the session here', async () => {
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

  it.each([
    ['an unreachable server', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a time-out', () => Promise.reject(new DOMException('too late', 'TimeoutError'))],
    ['500', () => Promise.resolve(new Response(SAID, { status: 500 }))],
    ['502 of a proxy', () => Promise.resolve(new Response('<html>', { status: 502 }))],
    ['503 of a server that starts', () => Promise.resolve(new Response(SAID, { status: 503 }))],
    ['429', () => Promise.resolve(new Response(SAID, { status: 429 }))],
    ['404 of a server half set up', () => Promise.resolve(new Response(SAID, { status: 404 }))],
  ])('F66: %s ends no session and is retried with backoff, until the server answers', async (_, failing) => {
    const { session, goTo, doFetch, clock, user, onRefused } = stage();
    doFetch.mockImplementation(failing);
    session.start(goTo, false);
    // Half of ten, twenty, forty and sixty seconds.
    for (const [asked, wait] of [5_250, 10_250, 20_250, 30_250, 30_250].entries()) {
      await settled();
      expect(doFetch).toHaveBeenCalledTimes(asked + 1);
      clock.advance(wait - 1);
      await settled();
      expect(doFetch).toHaveBeenCalledTimes(asked + 1);
      clock.advance(1);
    }
    expect([session.token(), session.loginFlag.get(), user.user.get().uId]).toEqual(['old-token', true, 'kai']);
    doFetch.mockResolvedValue(new Response(SAID, { status: 401 }));
    await settled();
    clock.advance(60_000);
    await settled();
    expect([session.token(), onRefused.mock.calls.length, clock.pending]).toEqual([null, 1, 0]);
  });

  it('F66: is retried at once when the network returns, and not after the user has signed out', async () => {
    const { session, goTo, doFetch, clock, connectivity } = stage();
    doFetch.mockRejectedValue(new TypeError('Failed to fetch'));
    session.start(goTo, false);
    await settled();
    connectivity.set(true);
    await settled();
    expect(doFetch).toHaveBeenCalledTimes(2);
    session.clear();
    clock.advance(60_000);
    await settled();
    expect([doFetch.mock.calls.length, clock.pending, connectivity.listenerCount]).toEqual([2, 0, 1]);
    session.dispose();
    expect(connectivity.listenerCount).toBe(0);
  });

  it('SES-02: the refusal of an old token does not end a session that was begun meanwhile', async () => {
    const { session, goTo, answer, user } = stage();
    session.start(goTo, false);
    session.signIn(loginAnswer);
    answer.resolve(new Response(SAID, { status: 401 }));
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

  it('SES-04: a successful check changes nothing', async () => {
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

  it('SES-08: a sign-in stores the session under the names of the specification', () => {
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

  it('SES-08 CALL-01: the calling user id is testUser when none is stored, and there are no credentials without a token', () => {
    expect(stage().session.callingCredentials()).toEqual({ userId: 'testUser', accessToken: 'call-token' });
    expect(stage({ stored: { token: 'old-token', u_id: 'kai' } }).session.callingCredentials()).toBeNull();
  });
});

describe('session start without a network (D16)', () => {
  it('D16: makes no request while the browser reports itself offline, and makes it when the network returns', async () => {
    const { session, goTo, doFetch, connectivity } = stage({ online: false, status: 401 });
    session.start(goTo, false);
    expect(doFetch).not.toHaveBeenCalled();
    expect(session.token()).toBe('old-token');

    connectivity.set(false);
    expect(doFetch).not.toHaveBeenCalled();
    connectivity.set(true);
    await settled();
    expect(doFetch).toHaveBeenCalledTimes(1);
    expect(session.token()).toBeNull();
    session.dispose();
    expect(connectivity.listenerCount).toBe(0);
  });

  it('D16: makes one request, however often the network changes', async () => {
    const { session, goTo, doFetch, connectivity } = stage({ online: false });
    session.start(goTo, false);
    connectivity.set(true);
    connectivity.set(false);
    connectivity.set(true);
    await settled();
    expect(doFetch).toHaveBeenCalledTimes(1);
  });

  it('D16: stops the wait when disposed', () => {
    const { session, goTo, connectivity } = stage({ online: false });
    session.start(goTo, false);
    session.dispose();
    expect(connectivity.listenerCount).toBe(0);
  });
});

describe('a session that may have ended', () => {
  it.each([
    [401, null],
    [200, 'old-token'],
  ])('S42 is checked, and kept when the server answers %i', async (status, token) => {
    const { session, doFetch } = stage({ status });
    const answers = [session.check(), session.check()];
    expect(await Promise.all(answers)).toEqual([token !== null, token !== null]);
    expect(doFetch).toHaveBeenCalledTimes(1);
    expect(session.token()).toBe(token);
    session.clear();
    expect(await session.check()).toBe(false);
    expect(doFetch).toHaveBeenCalledTimes(1);
  });

  it('D16 is checked once when the network returns, also after several hints', async () => {
    const { session, doFetch, connectivity } = stage({ online: false, status: 401 });
    const answers = [session.check(), session.check()];
    expect([doFetch.mock.calls.length, connectivity.listenerCount]).toEqual([0, 1]);
    connectivity.set(true);
    expect(await Promise.all(answers)).toEqual([false, false]);
    expect([doFetch.mock.calls.length, session.token()]).toEqual([1, null]);
  });
});

describe('a session that was checked and is valid', () => {
  it('S42 is checked again at the next hint', async () => {
    const { session, doFetch } = stage({ status: 200 });
    await session.check();
    await session.check();
    expect(doFetch).toHaveBeenCalledTimes(2);
  });

  it('S42 reports a signed-in user when another session began while the old one was refused', async () => {
    const { session, answer } = stage();
    const asked = session.check();
    session.signIn(loginAnswer);
    answer.resolve(new Response(SAID, { status: 401 }));
    expect(await asked).toBe(true);
  });
});

describe('signing out', () => {
  it('S42 ends the session on the server and clears both storages', async () => {
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

  it('S42 clears this browser also when the server cannot be reached', async () => {
    const { session, goTo, answer, doFetch, localStorage, logger } = stage({ online: false });
    session.start(goTo, false);
    session.signOut();
    await vi.waitUntil(() => doFetch.mock.calls.length > 0);
    answer.reject(new TypeError('Failed to fetch'));
    await settled();
    expect(localStorage.size).toBe(0);
    expect(logger.of('warn')).toEqual(['the sign-out did not reach the server']);
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

describe('another tab of the same browser', () => {
  const others = { token: 'token-of-mina', u_id: 'mina', gender_type: 'woman', calling_access_token: 'calls-of-mina' };

  function twoTabs() {
    const staged = stage({ status: 200 });
    staged.session.start(staged.goTo, false);
    const store = (stored: Record<string, string>): void => {
      for (const [name, value] of Object.entries(stored)) staged.localStorage.setItem(name, value);
    };
    const tell = (): void => {
      for (const listener of staged.otherTabs) listener();
    };
    const authorization = async (): Promise<string | null> => {
      const before = staged.doFetch.mock.calls.length;
      staged.session.signOut();
      await vi.waitUntil(() => staged.doFetch.mock.calls.length > before);
      const [url = '', init] = staged.doFetch.mock.calls.at(-1) ?? [];
      return new Request(url, init).headers.get('authorization');
    };
    return { ...staged, store, tell, authorization };
  }

  it('SES-06 SES-08: that signs in as another user stops this one, and changes no token here', () => {
    const { session, user, store, tell, sockets } = twoTabs();
    store(others);
    expect([session.token(), session.callingCredentials()?.accessToken]).toEqual(['old-token', 'call-token']);
    tell();
    expect(session.replacedBy.get()).toEqual({ uId: 'mina', genderType: 'woman' });
    expect([user.user.get().uId, session.token()]).toEqual(['kai', 'old-token']);
    session.leave();
    expect([user.user.get().uId, session.token(), session.callingCredentials()]).toEqual([null, null, null]);
    expect([session.loginFlag.get(), sockets.last.isClosed]).toEqual([false, true]);
  });

  it('SES-06: stays signed in when this tab clears its user, and the next load has the other user', async () => {
    const { session, sessionStorage, localStorage, store, tell } = twoTabs();
    store(others);
    tell();
    session.leave();
    expect(sessionStorage.getItem('u_id')).toBe('mina');
    session.clear();
    expect(Object.keys(others).map((name) => localStorage.getItem(name))).toEqual(Object.values(others));
    expect(sessionStorage.getItem('u_id')).toBeNull();
  });

  it('SES-06: a request of this tab has the token of its own user, also before it notices the other tab', async () => {
    const { store, authorization, localStorage } = twoTabs();
    store(others);
    expect(await authorization()).toBe('Bearer old-token');
    expect(localStorage.getItem('token')).toBe('token-of-mina');
  });

  it('SES-06: is also checked when this tab is shown again, and returns from the back/forward cache', () => {
    const { session, store, connectivity } = twoTabs();
    store(others);
    connectivity.comeBack();
    expect(session.replacedBy.get()?.uId).toBe('mina');
  });

  it('SES-06: writes its token last, so that no other tab reads it beside the previous user', () => {
    const { session, localStorage } = twoTabs();
    const written: string[] = [];
    const setItem = localStorage.setItem.bind(localStorage);
    vi.spyOn(localStorage, 'setItem').mockImplementation((name, value) => {
      if (localStorage.getItem(name) !== value) written.push(name);
      setItem(name, value);
    });
    session.signIn({ ...loginAnswer, u_id: 'mina', gender_type: 'woman', token: 'token-of-mina' });
    expect(written.at(-1)).toBe('token');
    expect(written).toContain('u_id');
    expect(written).toContain('gender_type');
  });

  it('SES-06: that signs in again as the same user gives this tab the new session', () => {
    const { session, store, tell } = twoTabs();
    store({ token: 'newer-token', calling_access_token: 'newer-calls' });
    tell();
    expect([session.token(), session.callingCredentials()?.accessToken]).toEqual(['newer-token', 'newer-calls']);
    expect(session.replacedBy.get()).toBeNull();
  });

  it('SES-06: that signs the other user out leaves this tab until the end of its call', () => {
    const { session, user, localStorage, store, tell } = twoTabs();
    store(others);
    tell();
    localStorage.clear();
    tell();
    expect([session.token(), user.user.get().uId, session.replacedBy.get()?.uId]).toEqual(['old-token', 'kai', 'mina']);
    session.leave();
    expect([session.token(), user.user.get().uId]).toEqual([null, null]);
  });

  it('SES-06: that signs in as this tab’s user again restores this tab', () => {
    const { session, user, store, tell } = twoTabs();
    store(others);
    tell();
    store({ u_id: 'kai', gender_type: 'man' });
    tell();
    // The token comes last: until then the stored one is that of the other user.
    expect([session.token(), session.replacedBy.get()?.uId]).toEqual(['old-token', 'mina']);
    store({ token: 'newer-token' });
    tell();
    expect([session.token(), session.replacedBy.get()]).toEqual(['newer-token', null]);
    session.leave();
    expect([session.token(), user.user.get().uId]).toEqual(['newer-token', 'kai']);
  });

  it('SES-06: that changes its user after this tab has stopped changes the notice of this tab', () => {
    const { session, sessionStorage, store, tell } = twoTabs();
    store(others);
    tell();
    session.leave();
    store({ u_id: 'noa', token: 'token-of-noa' });
    tell();
    expect([session.replacedBy.get()?.uId, sessionStorage.getItem('u_id')]).toEqual(['noa', 'noa']);
    store({ u_id: 'kai', token: 'newer-token' });
    tell();
    expect([session.replacedBy.get()?.uId, session.token()]).toEqual(['kai', null]);
  });

  it('SES-06: that signs in changes nothing in a tab of a visitor', () => {
    const { session, goTo, localStorage, otherTabs } = stage({ stored: {}, tab: {} });
    session.start(goTo, true);
    for (const [name, value] of Object.entries(others)) localStorage.setItem(name, value);
    for (const tell of otherTabs) tell();
    expect([session.token(), session.replacedBy.get()]).toEqual([null, null]);
    session.clear();
    expect(localStorage.getItem('token')).toBe('token-of-mina');
  });
});
