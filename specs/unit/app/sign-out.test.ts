/** The whole app without its pictures: what remains of a user after a sign-out or the end of a session. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readEvent } from '../../../src/app/core/events/read-event.ts';
import { FakeCallingLibrary } from '../../../src/app/testing/fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../../../src/app/testing/fakes/fake-connectivity.ts';
import { FakeDevicePermissions } from '../../../src/app/testing/fakes/fake-device-permissions.ts';
import { FakePwaHost } from '../../../src/app/testing/fakes/fake-pwa-host.ts';
import { FakeSockets } from '../../../src/app/testing/fakes/fake-sockets.ts';
import { HandClock } from '../support/hand-clock.ts';
import { memoryCookieJar, MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import type { FcmModule } from '../../../src/app/features/push/fcm-provider.ts';
import { createServices } from '../../../src/app/services/services.ts';
import { loginAnswer } from './product-answers.ts';

/** Counted over all tests. */
let ids = 0;

/** The whole app, started. `missing` is how often the code of live events fails to load. */
function opened({ missing = 0 } = {}) {
  const clock = new HandClock();
  let loads = 0;
  const sockets = new FakeSockets();
  const library = new FakeCallingLibrary();
  const localStorage = new MemoryStorage();
  const sessionStorage = new MemoryStorage();
  const asked: string[] = [];
  const otherTabs = new Set<() => void>();
  let refusal: Response | undefined;
  const host = new FakePwaHost();
  host.notifications.permission = () => 'granted';
  host.activeRegistration = () => Promise.resolve({} as ServiceWorkerRegistration);
  const forgotten: string[] = [];
  const messaging: FcmModule = {
    initializeApp: () => null,
    getMessaging: () => null,
    isSupported: () => Promise.resolve(true),
    getToken: () => Promise.resolve('device-token'),
    deleteToken: () => Promise.resolve(forgotten.push('by the push service') > 0),
    onMessage: () => () => undefined,
  };
  const services = createServices({
    config: {
      app_id: 'app',
      api_url: 'https://api.test',
      ws_url: 'wss://ws.test',
      calling_api_url: 'https://api.test',
      calling_ws_url: 'wss://ws.test',
      push: { provider: 'fcm', vapid_key: 'key', module_url: '/messaging.js', options: {} },
    },
    ports: {
      clock,
      connectivity: new FakeConnectivity(true),
      devicePermissions: new FakeDevicePermissions(),
      fetch: async (url, init) => {
        const request = new Request(url, init);
        asked.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get('authorization') ?? ''}`);
        return refusal?.clone() ?? Response.json({});
      },
      openSocket: sockets.open,
      localStorage,
      sessionStorage,
      onOtherTab: (listener) => {
        otherTabs.add(listener);
        return () => otherTabs.delete(listener);
      },
      logger: new RecordingLogger(),
      newId: () => `id-${(ids += 1)}`,
      random: () => 0.5,
    },
    cookies: memoryCookieJar({}),
    browserLanguages: [],
    pageUrl: 'https://ringback.example/',
    loadCallingLibrary: () => Promise.resolve(library),
    async loadEventReader() {
      loads += 1;
      if (loads <= missing) throw new TypeError('Failed to fetch dynamically imported module');
      return readEvent;
    },
    host,
    workerUrl: null,
    loadPushModule: () => Promise.resolve(messaging),
  });
  onTestFinished(() => services.dispose());
  services.admit(() => undefined, false);
  services.start();
  return {
    services,
    clock,
    sockets,
    library,
    localStorage,
    sessionStorage,
    asked,
    forgotten,
    otherTabs,
    loads: () => loads,
    /** Sets the answer of the product to every later request. */
    refuse: (status: number, code: string) => (refusal = Response.json({ code, message: '' }, { status })),
  };
}

/** A signed-in user: present, with live events, on the calling service, in a call, with cached answers. */
async function signedIn({ missing = 0 } = {}) {
  const app = opened({ missing });
  const { services, clock, sockets, library, localStorage, sessionStorage } = app;
  services.session.signIn(loginAnswer);
  await vi.waitFor(() => expect(library.steps).toContain('connectWebSocket'));
  for (let lost = 1; lost <= missing; lost += 1) {
    await vi.waitFor(() => expect(app.loads()).toBe(lost));
    await settled();
    clock.advance(lost * 5_250);
  }
  await vi.waitFor(() => expect(sockets.opened).toHaveLength(2));
  await vi.waitFor(() => expect(localStorage.getItem('push_token')).not.toBeNull());
  for (const socket of sockets.opened) socket.accept();
  const queries = services.queries.open(() => new QueryClient());
  queries.setQueryData(['wallet'], { coins: 7 });
  sessionStorage.setItem('ringback_register_man', '{}');
  await services.dialer.dial({ userId: 'mina', nickname: 'Mina', profileUrl: '' }, 'voice');
  expect(services.dialer.before.get()).not.toBeNull();
  services.ports.logger.info('what Mina was told');
  services.calling.dial({ userId: 'mina', nickname: 'Mina', profileUrl: '' }, 'voice');
  return { ...app, queries, endOnServer: () => app.refuse(401, 'signed_out') };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type SignedIn = Awaited<ReturnType<typeof signedIn>>;

function expectNothingLeft({ services, sockets, library, localStorage, sessionStorage, queries }: SignedIn): void {
  expect([localStorage.size, sessionStorage.size]).toEqual([0, 0]);
  expect(sockets.opened.map(({ url, isClosed }) => [url.split('?')[0], isClosed])).toEqual([
    [`wss://ws.test/ws/online/${loginAnswer.u_id}`, true],
    ['wss://ws.test/ws/events', true],
  ]);
  expect(library.steps.at(-1)).toBe('deauthenticate');
  expect(services.calling.state.get()).toMatchObject({ active: null, held: [], incoming: [] });
  expect(services.dialer.before.get()).toBeNull();
  expect(services.log.lines().map(({ message }) => message)).not.toContain('what Mina was told');
  expect(queries.getQueryCache().getAll()).toEqual([]);
  expect(services.queries.open(() => new QueryClient())).not.toBe(queries);
}

describe('a user who signs out', () => {
  it('S42 leaves no storage, cached answer, socket, call, calling service or push token of the device', async () => {
    const here = await signedIn();
    expect(here.services.calling.state.get().active).not.toBeNull();
    const gift = { to: 'mina', gift_id: 'rose', count: 1 };
    const key = here.services.requestKeys.of('sendGift', gift);
    expect(here.services.requestKeys.of('sendGift', gift)).toBe(key);
    here.services.session.signOut();
    expectNothingLeft(here);
    expect(here.services.requestKeys.of('sendGift', gift)).not.toBe(key);
    await vi.waitFor(() => expect(here.forgotten).toEqual(['by the push service']));
    await vi.waitFor(() =>
      expect(here.asked).toEqual(
        expect.arrayContaining([
          `POST /auth/logout Bearer ${loginAnswer.token}`,
          `DELETE /push/tokens Bearer ${loginAnswer.token}`,
        ]),
      ),
    );
  });
});

describe('a user whose microphone and camera are open, in a preview or to detect speech while muted', () => {
  it.each([
    ['who signs out', (here: SignedIn) => here.services.session.signOut()],
    [
      'whose session ended elsewhere',
      (here: SignedIn) => {
        here.endOnServer();
        for (const socket of here.sockets.opened) socket.drop(4401);
      },
    ],
  ])('S36 releases them with the session: %s', async (_how, leave) => {
    const here = await signedIn();
    const undo = here.services.calling.lookAtDevices({ camera: true }, () => undefined);
    here.services.calling.lookAtDevices({ camera: false }, () => undefined);
    expect(here.library.looks).toHaveLength(2);
    leave(here);
    await vi.waitFor(() => expect(here.services.session.token()).toBeNull());
    expect(here.library.looks).toEqual([]);
    undo();
  });
});

describe('a user whose session ended elsewhere', () => {
  it('S42 S08 leaves none of these either, once the server closes the live events, and nothing restarts', async () => {
    const here = await signedIn();
    here.endOnServer();
    for (const socket of here.sockets.opened) socket.drop(4401);
    await vi.waitFor(() => expect(here.services.session.token()).toBeNull());
    expectNothingLeft(here);
    expect(here.asked.filter((one) => one.includes('refresh_token'))).toHaveLength(1);
  });
});

describe('a user who signs in', () => {
  it('receives live events also when their code loads at the third try', async () => {
    const { sockets } = await signedIn({ missing: 2 });
    expect(sockets.opened.map(({ url }) => url)).toContain('wss://ws.test/ws/events');
  });
});

describe('a page that closes', () => {
  it('leaves no timer of live events that do not load, of a waiting message, or of a short message', async () => {
    const { services, clock, localStorage, loads, refuse } = opened({ missing: Infinity });
    services.session.signIn(loginAnswer);
    refuse(503, 'starting');
    services.outbox.put('alice-mina', { type: 'text', text: 'hello' });
    services.toasts.show('signed in');
    await vi.waitFor(() => expect(loads()).toBe(1));
    await settled();
    expect(clock.pending).toBeGreaterThanOrEqual(3);
    services.dispose();
    expect(clock.pending).toBe(0);
    // The next page sends the written message.
    expect(localStorage.getItem('chat_outbox')).toContain('hello');
  });

  it('sets no timer afterwards: later failures are not retried', async () => {
    const { services, clock, loads, refuse } = opened({ missing: Infinity });
    services.session.signIn(loginAnswer);
    refuse(503, 'starting');
    services.outbox.put('alice-mina', { type: 'text', text: 'hello' });
    services.dispose();
    await vi.waitFor(() => expect(loads()).toBe(1));
    await settled();
    expect(clock.pending).toBe(0);
  });
});

describe('a user who is replaced by another user in another tab', () => {
  function otherSignsIn({ localStorage, otherTabs }: SignedIn): void {
    for (const [name, value] of Object.entries({ u_id: 'mina', gender_type: 'woman', token: 'token-of-mina' })) {
      localStorage.setItem(name, value);
    }
    for (const tell of otherTabs) tell();
  }

  it('SES-06 S42 loses sockets, calling service and cached answers after the call; data of the other user stays', async () => {
    const here = await signedIn();
    otherSignsIn(here);
    expect(here.services.calling.state.get().active?.stage.name).toBe('outgoing');
    expect(here.services.session.token()).toBe(loginAnswer.token);
    here.services.calling.end();
    expect(here.services.session.token()).toBeNull();
    expect(here.sockets.opened.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    expect(here.library.steps.slice(-2)).toEqual(['removeListener', 'deauthenticate']);
    expect(here.queries.getQueryCache().getAll()).toEqual([]);
    expect(['token', 'u_id', 'gender_type'].map((name) => here.localStorage.getItem(name))).toEqual([
      'token-of-mina',
      'mina',
      'woman',
    ]);
    await settled();
    expect([here.forgotten, here.asked.filter((one) => one.includes('mina'))]).toEqual([[], []]);
  });

  it('SES-06 loses them at once without a call', async () => {
    const here = await signedIn();
    here.services.calling.end();
    otherSignsIn(here);
    expect([here.services.session.token(), here.services.user.user.get().uId]).toEqual([null, null]);
    expect(here.services.session.replacedBy.get()?.uId).toBe('mina');
  });
});
