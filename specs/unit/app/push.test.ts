/** Push in the page: its conditions, the registration of a device, and the content of a notification. */
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Deferred } from '../../../src/app/testing/fakes/deferred.ts';
import { HandClock } from '../support/hand-clock.ts';
import { memoryCookieJar, MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { encodeBase64Url } from '../../../src/app/features/push/base64url.ts';
import { createFcmProvider, type FcmModule } from '../../../src/app/features/push/fcm-provider.ts';
import { createForegroundPush, type NotificationHost } from '../../../src/app/features/push/foreground-push.ts';
import { createHeartbeats } from '../../../src/app/features/push/heartbeats.ts';
import { inAppWebview } from '../../../src/app/features/push/webview-warning.ts';
import {
  noPushBecause,
  type PushHost,
  createPushService,
  type PushState,
} from '../../../src/app/features/push/push-service.ts';
import { PushError, type PushProvider } from '../../../src/app/features/push/push-provider.ts';
import { DEFAULT_ICON, pushNotification, readPushPayload } from '../../../src/app/features/push/push-notification.ts';
import { createPushOffer } from '../../../src/app/features/push/push-offer.ts';
import { createWebPushProvider } from '../../../src/app/features/push/web-push-provider.ts';
import { createStore } from '../../../src/common/store.ts';
import { PUSH_LIMITS, type PushPayload } from '../../../src/protocol/product/push.ts';

const ORIGIN = 'https://ringback.example';
const DAY_MS = 24 * 60 * 60 * 1_000;

const browser = {
  userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  hasServiceWorkers: true,
  hasMessaging: true,
  permission: 'granted',
} satisfies PushHost;

/** User agents as these apps send them. */
const WEBVIEWS = {
  line: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari Line/15.2.0',
  facebook:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A [FBAN/FBIOS;FBAV/480.0]',
  instagram: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/22A Instagram 350.0.0 (iPhone16,2; iOS 18)',
  messenger: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile [FB_IAB/Orca-Android;FBAV/480.0;]',
  snapchat: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Snapchat/13.0.0 (like Safari)',
  uc: 'Mozilla/5.0 (Linux; U; Android 14) AppleWebKit/537.36 Version/4.0 Chrome/100.0 UCBrowser/15.5.2 Mobile Safari',
  miui: 'Mozilla/5.0 (Linux; U; Android 14) AppleWebKit/537.36 Chrome/112.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/18.1',
} as const;

describe('the conditions for push', () => {
  it('NOT-01: push is attempted only with service workers and messaging, outside in-app webviews, and permission not denied', () => {
    expect(noPushBecause(browser)).toBeNull();
    expect(noPushBecause({ ...browser, permission: 'default' })).toBeNull();
    expect(noPushBecause({ ...browser, hasServiceWorkers: false })).toBe('unsupported');
    expect(noPushBecause({ ...browser, hasMessaging: false })).toBe('unsupported');
    expect(noPushBecause({ ...browser, userAgent: WEBVIEWS.line })).toBe('in-app-webview');
    expect(noPushBecause({ ...browser, permission: 'denied' })).toBe('denied');
  });

  it.each(Object.entries(WEBVIEWS))('NOT-02: the %s webview is excluded', (name, userAgent) => {
    expect(inAppWebview(userAgent)).toBe(name);
    expect(noPushBecause({ ...browser, userAgent })).toBe('in-app-webview');
  });

  it.each([
    browser.userAgent,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0 Online/1',
  ])('a normal browser is not excluded: %s', (userAgent) => {
    expect(inAppWebview(userAgent)).toBeNull();
  });
});

const payload = (some: Partial<PushPayload>): PushPayload => ({
  type: 'CHAT',
  name: '小美',
  gift_name: '',
  coin: '',
  icon: '',
  ...some,
});
const shown = (some: Partial<PushPayload>, locale: 'zh-Hant' | 'en' = 'zh-Hant') =>
  pushNotification(payload(some), ORIGIN, locale);

describe('the content of a notification', () => {
  it.each([
    ['CHAT', '你有一則來自小美的訊息！', 'You have a message from 小美!'],
    ['CALL', '小美正在打電話給你！', '小美 is calling you!'],
    ['ONLINE', '小美上線了', '小美 is online'],
    ['GIFT', '用戶小美送了玫瑰給你（價值：520）', 'User 小美 sent gift 玫瑰 to you (value: 520)'],
    ['VIDEO', '小美正在打視訊電話給你！', '小美 is video calling you!'],
    ['chat', '小美正在打視訊電話給你！', '小美 is video calling you!'],
    ['', '小美正在打視訊電話給你！', '小美 is video calling you!'],
  ])('NOT-03 B73: the title of %j is as specified, in Chinese in the product', (type, chinese, english) => {
    const gift = { type, gift_name: '玫瑰', coin: '520' };
    expect(shown(gift).title).toBe(chinese);
    expect(shown(gift, 'en').title).toBe(english);
  });

  it('NOT-04: a notification requires interaction', () => {
    expect(shown({}).options.requireInteraction).toBe(true);
    expect(pushNotification(null, ORIGIN, 'zh-Hant').options.requireInteraction).toBe(true);
  });

  it('NOT-05: the icon is the one at a fixed root path when the payload has none', () => {
    expect(shown({}).options.icon).toBe(DEFAULT_ICON);
    expect(DEFAULT_ICON).toMatch(/^\/[^/]/);
    expect(shown({ icon: '/portraits/mina.svg' }).options.icon).toBe(`${ORIGIN}/portraits/mina.svg`);
    expect(shown({ icon: 'https://pictures.example/a.png' }).options.icon).toBe('https://pictures.example/a.png');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>x',
    '//evil.example/a.png',
    '/\\evil.example/a.png',
    'file:///etc/passwd',
    'blob:https://ringback.example/1',
    'https://',
    '\u0000javascript:alert(1)',
  ])('B73: an icon that is no plain picture address is not loaded: %j', (icon) => {
    const { icon: loaded } = shown({ icon }).options;
    expect(loaded === DEFAULT_ICON || loaded.startsWith(`${ORIGIN}/`)).toBe(true);
  });

  it('B73: names are one line of text, without direction marks, and truncated', () => {
    expect(shown({ name: '<b>小美</b>' }).title).toBe('你有一則來自<b>小美</b>的訊息！');
    expect(shown({ name: '小\u202e美\n\t二\u2066' }).title).toBe('你有一則來自小 美 二的訊息！');
    expect(shown({ type: 'GIFT', gift_name: '玫瑰', coin: '1e9' }).title).toContain('（價值：1e9）');
    expect(shown({ name: '美'.repeat(10_000) }).title.length).toBeLessThan(100);
    expect(shown({ name: '👩‍👩‍👧‍👦'.repeat(200) }).title).toContain(`${'👩‍👩‍👧‍👦'.repeat(63)}…`);
    expect(shown({ name: ' \u200f ' }).title).toBe('你有一則來自有人的訊息！');
  });

  it('any payload gives a title and an icon of http(s)', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue().map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (text) => {
          const { title, options } = pushNotification(readPushPayload(text), ORIGIN, 'zh-Hant');
          expect(title.length).toBeGreaterThan(0);
          expect(new URL(options.icon, ORIGIN).protocol).toMatch(/^https?:$/);
        },
      ),
    );
  });

  it('S41 B73: fields of a payload that are not allowed are ignored, and numbers become text', () => {
    expect(
      readPushPayload('{"type":"GIFT","name":"小美","gift_name":"玫瑰","coin":520,"url":"https://evil.example"}'),
    ).toEqual({
      type: 'GIFT',
      name: '小美',
      gift_name: '玫瑰',
      coin: '520',
      icon: '',
    });
    expect(readPushPayload('not json')).toBeNull();
    expect(readPushPayload('{"name":{"x":1}}')).toBeNull();
    expect(pushNotification(null, ORIGIN, 'en').title).toBe('There is something new on Ringback');
  });
});

describe('a message while the page is open', () => {
  function stage(some: Partial<Pick<NotificationHost, 'permission' | 'show' | 'showFromWorker'>> = {}) {
    const notification = Object.assign(new EventTarget(), { close: vi.fn() });
    const host = {
      origin: ORIGIN,
      permission: () => 'granted' as NotificationPermission,
      show: vi.fn(() => notification),
      showFromWorker: vi.fn(() => Promise.resolve()),
      openTab: vi.fn(),
      ...some,
    };
    const toast = vi.fn();
    const logger = new RecordingLogger();
    return {
      receive: createForegroundPush({ host, locale: () => 'zh-Hant', toast, logger }),
      host,
      notification,
      toast,
      logger,
    };
  }

  it('NOT-04 S41 B73: a click on a notification opens the site in a new tab, and no address of the payload', () => {
    const { receive, host, notification } = stage();
    receive({ ...payload({ type: 'CALL' }), ...{ url: 'https://evil.example' } });
    expect(host.show).toHaveBeenCalledWith(
      '小美正在打電話給你！',
      expect.objectContaining({ requireInteraction: true }),
    );
    expect(host.openTab).not.toHaveBeenCalled();
    notification.dispatchEvent(new Event('click'));
    expect(host.openTab.mock.calls).toEqual([[`${ORIGIN}/`]]);
    expect(notification.close).toHaveBeenCalledOnce();
  });

  it('about an invitation opens the room of the invitation, and the site for an id that is no id', () => {
    const { receive, host, notification } = stage();
    receive(payload({ type: 'ROOM', room: 'room-1' }));
    expect(host.show).toHaveBeenCalledWith('小美邀請你進房間！', expect.objectContaining({ data: '/rooms/room-1' }));
    notification.dispatchEvent(new Event('click'));
    const other = stage();
    other.receive(payload({ type: 'ROOM', room: '../evil' }));
    other.notification.dispatchEvent(new Event('click'));
    expect([...host.openTab.mock.calls, ...other.host.openTab.mock.calls]).toEqual([
      [`${ORIGIN}/rooms/room-1`],
      [`${ORIGIN}/`],
    ]);
  });

  it('is shown in the page without permission', () => {
    const { receive, host, toast } = stage({ permission: () => 'default' });
    receive(payload({ type: 'ONLINE' }));
    expect(toast).toHaveBeenCalledWith('小美上線了');
    expect(host.show).not.toHaveBeenCalled();
  });

  it('is shown by the service worker where a page may not, and in the page where that fails too', async () => {
    const { receive, host, toast, logger } = stage({
      show: () => {
        throw new TypeError('Illegal constructor');
      },
      showFromWorker: vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('no worker')),
    });
    receive(payload({}));
    await vi.waitFor(() => expect(host.showFromWorker).toHaveBeenCalledOnce());
    expect(toast).not.toHaveBeenCalled();
    receive(payload({}));
    await vi.waitFor(() => expect(toast).toHaveBeenCalledOnce());
    expect(logger.of('warn')).toEqual(['a notification was not shown']);
  });
});

/** Waits until all effects of an event have run. */
const settled = () => new Promise<void>((done) => void setImmediate(done));

/** A provider and a product whose answers the test sets. The product records its requests. */
function device(some: { storage?: MemoryStorage; clock?: HandClock; uId?: string } = {}) {
  const { uId = 'kai' } = some;
  const clock = some.clock ?? new HandClock();
  const storage = some.storage ?? new MemoryStorage();
  const logger = new RecordingLogger();
  const provider = {
    isSupported: vi.fn(() => Promise.resolve(true)),
    getToken: vi.fn<PushProvider['getToken']>(() => Promise.resolve('token-1')),
    onForeground: () => () => {},
    deleteToken: vi.fn(() => Promise.resolve()),
  };
  const registrar = {
    publicKey: vi.fn(() => Promise.resolve('key')),
    save: vi.fn(() => Promise.resolve()),
    forget: vi.fn(() => Promise.resolve()),
  };
  const host = {
    userAgent: browser.userAgent,
    hasServiceWorkers: true,
    permission: 'granted' as NotificationPermission,
  };
  const requestPermission = vi.fn(() => Promise.resolve(host.permission));
  const activeRegistration = vi.fn(() => Promise.resolve({} as ServiceWorkerRegistration));
  const push = createPushService({
    provider,
    registrar,
    host: () => host,
    requestPermission,
    activeRegistration,
    bearer: () => 'session',
    userId: () => uId,
    heartbeats: createHeartbeats({ agent: 'ringback/1', storage, clock }),
    storage,
    clock,
    logger,
  });
  return { push, provider, registrar, host, requestPermission, activeRegistration, clock, storage, logger };
}

describe('the token of a device', () => {
  it('is registered with the product with the key of the product, once', async () => {
    const { push, provider, registrar } = device();
    await push.start();
    await push.start();
    expect(provider.getToken).toHaveBeenCalledWith(expect.objectContaining({ vapidKey: 'key' }));
    expect(registrar.save.mock.calls).toEqual([['token-1', expect.any(String)]]);
    expect(push.state.get()).toBe('on');
  });

  it('S42 is registered again for another user of the same browser', async () => {
    const storage = new MemoryStorage();
    await device({ storage }).push.start();
    const mina = device({ storage, uId: 'mina' });
    await mina.push.start();
    expect(mina.registrar.save).toHaveBeenCalledOnce();
  });

  it('NOT-09: push token refresh 7 days, service worker activation timeout 10 s, installation registration timeout 10 s, auth token refresh margin 1 hour', async () => {
    const { push, registrar, clock, activeRegistration, provider, logger } = device();
    await push.start();
    clock.advance(7 * DAY_MS - 1);
    await push.start();
    expect(registrar.save).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await push.start();
    expect(registrar.save).toHaveBeenCalledTimes(2);

    activeRegistration.mockReturnValueOnce(new Promise(() => {}));
    const slowWorker = push.start();
    await vi.waitFor(() => expect(activeRegistration).toHaveBeenCalledTimes(4));
    clock.advance(9_999);
    await settled();
    expect(logger.of('warn')).toEqual([]);
    clock.advance(1);
    await slowWorker;
    expect(logger.lines.at(-1)?.detail).toMatchObject({ code: 'activation-timeout' });

    provider.getToken.mockReturnValueOnce(new Promise(() => {}));
    const slowService = push.start();
    await vi.waitFor(() => expect(provider.getToken).toHaveBeenCalledTimes(4));
    clock.advance(9_999);
    await settled();
    expect(logger.of('warn')).toHaveLength(1);
    clock.advance(1);
    await slowService;
    expect(logger.lines.at(-1)?.detail).toMatchObject({ code: 'installation-timeout' });

    expect(PUSH_LIMITS.authTokenRefreshMarginMs).toBe(3_600_000);
    const subscription = webPush();
    const renewed = async (msLeft: number) => {
      const before = subscription.subscribed();
      await subscription.getToken(msLeft);
      return subscription.subscribed() > before;
    };
    await subscription.getToken();
    expect(await renewed(3_600_001)).toBe(false);
    expect(await renewed(3_600_000)).toBe(true);
  });

  it('a page that stays open for weeks registers its token again', async () => {
    const { push, registrar, clock } = device();
    await push.start();
    for (let day = 0; day < 7; day += 1) {
      clock.advance(DAY_MS);
      await push.start();
    }
    expect(registrar.save).toHaveBeenCalledTimes(2);
    push.stop();
    expect(clock.pending).toBe(0);
  });

  it.each<[string, (staged: ReturnType<typeof device>) => void, PushState]>([
    ['an unsupported browser', ({ provider }) => provider.isSupported.mockResolvedValue(false), 'unsupported'],
    ['a check that throws', ({ provider }) => provider.isSupported.mockRejectedValue(new Error('x')), 'unsupported'],
    ['permission denied', ({ host }) => void (host.permission = 'denied'), 'denied'],
    ['no token', ({ provider }) => provider.getToken.mockRejectedValue(new PushError('no-token', 'none')), 'failed'],
    ['a token error', ({ provider }) => provider.getToken.mockRejectedValue(new DOMException('x')), 'failed'],
    ['a product that is not there', ({ registrar }) => registrar.save.mockRejectedValue(new Error('x')), 'failed'],
    ['no key', ({ registrar }) => registrar.publicKey.mockRejectedValue(new Error('x')), 'failed'],
  ])('NOT-06: %s is only logged', async (_, spoil, state) => {
    const staged = device();
    spoil(staged);
    await expect(staged.push.start()).resolves.toBeUndefined();
    expect(staged.push.state.get()).toBe(state);
    expect(staged.logger.lines).toHaveLength(1);
    expect(JSON.stringify(staged.logger.lines)).not.toContain('token-1');
    staged.push.stop();
  });

  it('NOT-01: nothing is attempted where push is not allowed', async () => {
    for (const spoil of [
      { permission: 'denied' },
      { hasServiceWorkers: false },
      { userAgent: WEBVIEWS.miui },
    ] as const) {
      const { push, provider, host, registrar } = device();
      Object.assign(host, spoil);
      await push.start();
      expect(provider.getToken).not.toHaveBeenCalled();
      expect(registrar.publicKey).not.toHaveBeenCalled();
      push.stop();
    }
  });

  it('the app requests no permission of the browser before the user agrees', async () => {
    const { push, host, requestPermission, registrar } = device();
    host.permission = 'default';
    await push.start();
    expect(push.state.get()).toBe('possible');
    expect(requestPermission).not.toHaveBeenCalled();
    requestPermission.mockImplementation(() => Promise.resolve((host.permission = 'granted')));
    await push.enable();
    expect(registrar.save).toHaveBeenCalledOnce();
    expect(push.state.get()).toBe('on');
  });

  it('S42 is removed from the product and the push service at a sign-out, and not registered by late answers', async () => {
    const { push, provider, registrar, clock } = device();
    await push.start();
    push.signedOut();
    await vi.waitFor(() => expect(registrar.forget).toHaveBeenCalledWith('token-1', 'session'));
    expect(provider.deleteToken).toHaveBeenCalledOnce();

    const late = new Deferred<string>();
    provider.getToken.mockReturnValueOnce(late.promise);
    const start = push.start();
    await vi.waitFor(() => expect(provider.getToken).toHaveBeenCalledTimes(2));
    push.signedOut();
    late.resolve('token-2');
    await start;
    expect(registrar.save).toHaveBeenCalledTimes(1);
    expect(clock.pending).toBe(0);
  });

  it('S42 is removed from the product at a sign-out, also when an earlier page registered it', async () => {
    const storage = new MemoryStorage();
    const earlier = device({ storage });
    await earlier.push.start();
    earlier.push.stop();
    const { push, registrar, provider } = device({ storage });
    await push.start();
    expect(registrar.save).not.toHaveBeenCalled();
    push.signedOut();
    await settled();
    expect(registrar.forget.mock.calls).toEqual([['token-1', 'session']]);
    expect(provider.deleteToken).toHaveBeenCalledOnce();
  });

  it('is not registered while push is turned off in the app, and is registered again when it is turned on', async () => {
    const { push, registrar } = device();
    await push.start();
    await push.disable();
    expect(push.state.get()).toBe('off');
    expect(registrar.forget).toHaveBeenCalledOnce();
    await push.start();
    expect(registrar.save).toHaveBeenCalledTimes(1);
    await push.enable();
    expect(registrar.save).toHaveBeenCalledTimes(2);
    push.stop();
  });
});

/** The web push provider in a browser whose subscriptions the test holds. */
function webPush(
  globals: object = { window: {}, navigator: { serviceWorker: {} }, PushManager: {}, Notification: {}, indexedDB: {} },
) {
  const clock = new HandClock();
  const provider = createWebPushProvider({ globals, clock });
  let expirationTime: number | null = null;
  let present: object | null = null;
  const subscribe = vi.fn((options: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
    present = {
      options: { applicationServerKey: options.applicationServerKey.buffer },
      get expirationTime() {
        return expirationTime;
      },
      toJSON: () => ({ endpoint: 'https://push.example/1', expirationTime, keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: () => {
        present = null;
        return Promise.resolve(true);
      },
    };
    return Promise.resolve(present);
  });
  const registration = { pushManager: { subscribe, getSubscription: () => Promise.resolve(present) } };
  return {
    provider,
    subscribed: () => subscribe.mock.calls.length,
    getToken(msLeft?: number, key = 'BAAA') {
      expirationTime = msLeft === undefined ? null : clock.wallTime() + msLeft;
      return provider.getToken({ vapidKey: key, registration: registration as never });
    },
  };
}

describe('the web push provider', () => {
  it('gives the subscription as the token, in base64url', async () => {
    const { getToken } = webPush();
    const token = await getToken();
    expect(token).toMatch(/^[\w-]+$/);
    expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toEqual({
      endpoint: 'https://push.example/1',
      expirationTime: null,
      keys: { p256dh: 'p', auth: 'a' },
    });
  });

  it('keeps a subscription with the same key, and replaces one with another key', async () => {
    const { getToken, subscribed } = webPush();
    await getToken();
    await getToken();
    expect(subscribed()).toBe(1);
    await getToken(undefined, 'BBBB');
    expect(subscribed()).toBe(2);
  });

  it.each([
    [
      'only-available-in-window',
      { navigator: { serviceWorker: {} }, PushManager: {}, Notification: {}, indexedDB: {} },
    ],
    ['unsupported-browser', { window: {}, navigator: {}, PushManager: {}, Notification: {}, indexedDB: {} }],
    ['unsupported-browser', { window: {}, navigator: { serviceWorker: {} }, Notification: {}, indexedDB: {} }],
    ['indexed-db-unsupported', { window: {}, navigator: { serviceWorker: {} }, PushManager: {}, Notification: {} }],
  ])('NOT-08: %s is reported by its name, and handled', async (code, globals) => {
    const { provider, getToken } = webPush(globals);
    expect(await provider.isSupported()).toBe(false);
    await expect(getToken()).rejects.toMatchObject({ name: 'PushError', code });
  });
});

describe('the FCM provider', () => {
  function fcm(some: Partial<Pick<FcmModule, 'getToken'>> = {}) {
    const module = {
      initializeApp: vi.fn(() => 'app'),
      getMessaging: vi.fn(() => 'messaging'),
      isSupported: () => Promise.resolve(true),
      getToken: vi.fn(() => Promise.resolve('fcm-token')),
      onMessage: vi.fn((_messaging: unknown, _listener: (message: { data?: unknown }) => void) => () => {}),
      deleteToken: vi.fn(() => Promise.resolve(true)),
      ...some,
    };
    const load = vi.fn(() => Promise.resolve(module));
    return { module, load, provider: createFcmProvider({ load, options: { projectId: 'p' } }) };
  }

  it('gets its token with the key and the service worker of the app, from a module that is loaded on demand', async () => {
    const { module, load, provider } = fcm();
    expect(load).not.toHaveBeenCalled();
    const registration = {} as ServiceWorkerRegistration;
    expect(await provider.getToken({ vapidKey: 'key', registration })).toBe('fcm-token');
    expect(module.initializeApp).toHaveBeenCalledWith({ projectId: 'p' });
    expect(module.getToken).toHaveBeenCalledWith('messaging', {
      vapidKey: 'key',
      serviceWorkerRegistration: registration,
    });
  });

  it.each(['unsupported-browser', 'indexed-db-unsupported', 'only-available-in-window'])(
    'NOT-08: the third-party push error %s is handled: it becomes an error of the app, and is only logged',
    async (code) => {
      const { provider } = fcm({
        getToken: () => Promise.reject(Object.assign(new Error('x'), { code: `messaging/${code}` })),
      });
      await expect(provider.getToken({ vapidKey: 'k', registration: {} as never })).rejects.toMatchObject({ code });

      const { push, provider: used, logger } = device();
      used.getToken.mockImplementation(provider.getToken);
      await push.start();
      expect(logger.lines).toMatchObject([{ level: 'warn', detail: { code } }]);
      push.stop();
    },
  );

  it('forwards the messages that its module gives to an open page, until it is unsubscribed', async () => {
    const unlisten = vi.fn();
    const { module, provider } = fcm();
    module.onMessage.mockReturnValue(unlisten);
    const heard = vi.fn();
    const undo = provider.onForeground(heard);
    await vi.waitFor(() => expect(module.onMessage).toHaveBeenCalled());
    module.onMessage.mock.calls[0]![1]({ data: { type: 'CHAT' } });
    expect(heard).toHaveBeenCalledWith({ type: 'CHAT' });
    undo();
    expect(unlisten).toHaveBeenCalledOnce();
  });
});

describe('heartbeats', () => {
  function alive(agent = 'ringback/1') {
    const clock = new HandClock();
    const storage = new MemoryStorage();
    const heartbeats = createHeartbeats({ agent, storage, clock });
    const read = () => {
      const header = heartbeats.header();
      if (header === null) return null;
      return JSON.parse(Buffer.from(header, 'base64url').toString()) as {
        heartbeats: { agent: string; dates: string[] }[];
      };
    };
    return { clock, storage, heartbeats, read };
  }

  it('NOT-10: heartbeat storage at most 30 entries, header size limited to 1024', () => {
    const { clock, storage, heartbeats, read } = alive();
    for (let day = 0; day < 45; day += 1) {
      heartbeats.beat();
      clock.advance(DAY_MS);
    }
    const { days } = JSON.parse(storage.getItem('push_heartbeats') ?? '') as { days: unknown[] };
    expect(days).toHaveLength(30);
    const newest = new Date(clock.wallTime() - DAY_MS).toISOString().slice(0, 10);
    expect(read()?.heartbeats[0]?.dates).toHaveLength(30);
    expect(read()?.heartbeats[0]?.dates.at(-1)).toBe(newest);

    const wordy = alive(`ringback/${'x'.repeat(500)}`);
    for (let day = 0; day < 30; day += 1) {
      wordy.heartbeats.beat();
      wordy.clock.advance(DAY_MS);
    }
    expect(wordy.heartbeats.header()?.length).toBeLessThanOrEqual(1024);
    const dates = wordy.read()?.heartbeats[0]?.dates ?? [];
    expect(dates.length).toBeGreaterThan(10);
    expect(dates.length).toBeLessThan(30);
    expect(dates.at(-1)).toBe(new Date(wordy.clock.wallTime() - DAY_MS).toISOString().slice(0, 10));
    expect(alive('y'.repeat(2_000)).heartbeats.header()).toBeNull();
  });

  it('are counted and sent once a day', () => {
    const { clock, heartbeats, read } = alive();
    heartbeats.beat();
    heartbeats.beat();
    expect(read()?.heartbeats).toEqual([{ agent: 'ringback/1', dates: ['2026-11-20'] }]);
    heartbeats.markSent();
    heartbeats.beat();
    expect(read()).toBeNull();
    clock.advance(DAY_MS);
    heartbeats.beat();
    expect(read()?.heartbeats[0]?.dates).toEqual(['2026-11-21']);
  });

  it('starts anew when the stored value cannot be read', () => {
    const { storage, heartbeats, read } = alive();
    for (const broken of ['{', '{"days":[1]}', 'null']) {
      storage.setItem('push_heartbeats', broken);
      expect(read()).toBeNull();
    }
    heartbeats.beat();
    expect(read()).not.toBeNull();
  });
});

describe('the permission in two steps', () => {
  function asked(state: PushState = 'possible') {
    const clock = new HandClock();
    const cookies = memoryCookieJar({});
    const push = { state: createStore<PushState>(state), enable: vi.fn(() => Promise.resolve()) };
    return { clock, cookies, push, offer: createPushOffer({ push, cookies, clock }) };
  }

  it('is requested by the app first, and by the browser only after the user agreed', async () => {
    const { offer, push } = asked();
    offer.offer();
    expect(offer.isOpen.get()).toBe(true);
    expect(push.enable).not.toHaveBeenCalled();
    await offer.accept();
    expect(push.enable).toHaveBeenCalledOnce();
    expect(offer.isOpen.get()).toBe(false);
  });

  it('is not requested for 14 days after "later", also after a sign-out', () => {
    const { offer, clock, cookies, push } = asked();
    offer.offer();
    offer.later();
    expect(offer.isOpen.get()).toBe(false);
    clock.advance(14 * DAY_MS - 1);
    createPushOffer({ push, cookies, clock }).offer();
    offer.offer();
    expect(offer.isOpen.get()).toBe(false);
    clock.advance(1);
    offer.offer();
    expect(offer.isOpen.get()).toBe(true);
  });

  it.each<PushState>(['unsupported', 'in-app-webview', 'denied', 'off', 'on', 'failed'])(
    'is not requested when push is %s',
    (state) => {
      const { offer } = asked(state);
      offer.offer();
      expect(offer.isOpen.get()).toBe(false);
    },
  );
});

describe('base64url', () => {
  it('encodes as RFC 4648 says', () => {
    expect(encodeBase64Url(new Uint8Array([0xfb, 0xff, 0xfe]))).toBe('-__-');
    expect(encodeBase64Url(new Uint8Array([1]))).toBe('AQ');
  });
});
