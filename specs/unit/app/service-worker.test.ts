/** The service worker: its caches, its answers, and its notifications. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_ICON } from '../../../src/app/features/push/push-notification.ts';
import { cacheNames, deleteOldCaches, isPagePath } from '../../../src/app/service-worker/cache-rules.ts';
import { createKeptSettings, SETTINGS_WAIT_MS } from '../../../src/app/service-worker/kept-settings.ts';
import { keptFiles } from '../../../src/app/service-worker/service-worker-build.ts';
import { showPush } from '../../../src/app/service-worker/show-push.ts';

const PUBLIC = fileURLToPath(new URL('../../../src/app/public', import.meta.url));

describe('pages', () => {
  it.each(['/', '/home', '/woman-info/mina', '/man-chat-list/a%20b', '/transactions-record/gift', '/nowhere'])(
    'the app answers %s',
    (path) => expect(isPagePath(path)).toBe(true),
  );

  it.each([
    '/auth/refresh_token',
    '/v1/action/direct_call',
    '/ws/events',
    '/media/1',
    '/push/tokens',
    '/auth',
    '/a/b.png',
  ])('S40: the app leaves %s to its server', (path) => expect(isPagePath(path)).toBe(false));
});

describe('the settings', () => {
  const script = (body: string, init: ResponseInit = {}) =>
    new Response(body, { headers: { 'content-type': 'text/javascript; charset=utf-8' }, ...init });

  function kept() {
    const cache = new Map<string, Response>();
    const fetch = vi.fn((_url: Request | string, _init?: RequestInit) => Promise.resolve(script('1')));
    const settings = createKeptSettings({
      fetch,
      openCache: () =>
        Promise.resolve({
          match: (key) => Promise.resolve(cache.get(String(key))?.clone()),
          put: (key, response) => Promise.resolve(void cache.set(String(key), response)),
        }),
      timeout: (ms) => Object.assign(new AbortController().signal, { ms }),
    });
    return { cache, fetch, settings };
  }

  it('come from the server while it answers, and otherwise from the cache', async () => {
    const { fetch, settings } = kept();
    await settings.keep();
    fetch.mockResolvedValueOnce(script('2'));
    expect(await (await settings.answer()).text()).toBe('2');
    expect(fetch.mock.lastCall?.[1]).toMatchObject({ cache: 'no-store', signal: { ms: SETTINGS_WAIT_MS } });
    fetch.mockRejectedValueOnce(new TypeError('offline'));
    expect(await (await settings.answer()).text()).toBe('2');
  });

  it.each([
    ['an error', () => script('no', { status: 503 })],
    ['a partial answer', () => script('no', { status: 206 })],
    ['a page', () => new Response('<p>Sign in to this network', { headers: { 'content-type': 'text/html' } })],
    ['an opaque answer', () => Object.defineProperty(script('no'), 'type', { value: 'opaque' })],
    ['what came by way of elsewhere', () => Object.defineProperty(script('no'), 'redirected', { value: true })],
  ])('S40: %s is not cached, and not given to the app when a better answer exists', async (_, answer) => {
    const { cache, fetch, settings } = kept();
    await settings.keep();
    fetch.mockImplementation(() => Promise.resolve(answer()));
    expect(await (await settings.answer()).text()).toBe('1');
    cache.clear();
    await expect(settings.answer()).rejects.toThrow('/config.js answered');
    await expect(settings.keep()).rejects.toThrow('/config.js answered');
    expect(cache.size).toBe(0);
  });
});

describe('the caches', () => {
  it('S40: are named by version and deployment, and others are deleted', async () => {
    const names = cacheNames('abc');
    const other = cacheNames('def');
    expect(Object.values(names).some((name) => Object.values(other).includes(name))).toBe(false);
    const present = ['ringback-app-v0', ...Object.values(other), ...Object.values(names), 'workbox-precache'];
    const deleted: string[] = [];
    await deleteOldCaches(
      { keys: () => Promise.resolve(present), delete: (name) => Promise.resolve(deleted.push(name) > 0) },
      names,
    );
    expect(deleted).toEqual(['ringback-app-v0', other.app, other.settings, 'workbox-precache']);
  });

  it('S40: each file of the build is cached by its content hash, and other files are not cached', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'ringback-kept-'));
    try {
      for (const [path, content] of Object.entries({
        'index.html': 'page',
        'assets/index-abc123.js': 'script',
        'assets/index-abc123.js.map': 'map',
        'assets/index-abc123.js.br': 'script in another coding',
        'assets/index-abc123.js.gz': 'script in another coding',
        'screenshots/wide.png': 'picture',
        'manifest.json': '{}',
        'sw.js': 'old',
      })) {
        await mkdir(join(dir, path, '..'), { recursive: true });
        await writeFile(join(dir, path), content);
      }
      const before = await keptFiles(dir);
      expect(before).toEqual([
        { url: '/assets/index-abc123.js', revision: null, integrity: expect.stringMatching(/^sha256-.{44}$/) },
        { url: '/index.html', revision: expect.stringMatching(/^[0-9a-f]{16}$/), integrity: expect.any(String) },
      ]);
      await writeFile(join(dir, 'index.html'), 'another page');
      const [script, page] = await keptFiles(dir);
      expect(script).toEqual(before[0]);
      expect(page?.revision).not.toBe(before[1]?.revision);
      expect(page?.integrity).not.toBe(before[1]?.integrity);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

describe('the complete worker', () => {
  const ORIGIN = 'https://ringback.example';
  type Listener = (event: Record<string, unknown>) => void;

  /** The worker, in a scope whose network and caches the test controls. */
  async function started() {
    const listeners = new Map<string, Listener[]>();
    const openWindow = vi.fn(() => Promise.resolve());
    const fetched = vi.fn((url: Request | string) => Promise.resolve(new Response(`the server's ${String(url)}`)));
    const scope = {
      location: new URL(`${ORIGIN}/sw.js`),
      navigator: { languages: [] },
      registration: { scope: `${ORIGIN}/`, showNotification: vi.fn(() => Promise.resolve()) },
      clients: { openWindow },
      addEventListener: (type: string, listener: Listener) =>
        void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
      skipWaiting: () => Promise.resolve(),
    };
    // Workbox logs each request to the console.
    vi.stubGlobal('__WB_DISABLE_DEV_LOGS', true);
    vi.stubGlobal('self', Object.assign(scope, { __WB_DISABLE_DEV_LOGS: true }));
    vi.stubGlobal('location', scope.location);
    vi.stubGlobal('registration', scope.registration);
    vi.stubGlobal('caches', {
      open: () => Promise.reject(new Error('no cache here')),
      keys: () => Promise.resolve([]),
    });
    vi.stubGlobal('fetch', fetched);
    vi.stubGlobal('__PRECACHE__', [{ url: '/index.html', revision: 'r', integrity: 'sha256-x' }]);
    onTestFinished(() => void vi.unstubAllGlobals());
    vi.resetModules();
    await import('../../../src/app/service-worker/worker.ts');
    const tell = (type: string, event: Record<string, unknown>) => {
      for (const listener of listeners.get(type) ?? []) listener(event);
    };
    return { openWindow, tell };
  }

  it('S40: answers pages, the app’s own files and its settings, and passes every other request on without caching it', async () => {
    const { tell } = await started();
    const isAnswered = (url: string, init: RequestInit & { mode?: 'navigate' } = {}) => {
      const { mode = 'cors', ...rest } = init;
      const request = new Request(url, rest);
      // Only browsers make a request of this mode.
      Object.defineProperty(request, 'mode', { value: mode });
      let answer: Promise<unknown> | undefined;
      tell('fetch', { request, respondWith: (given: Promise<unknown>) => (answer = given) });
      // The test does not check its result.
      answer?.catch(() => undefined);
      return answer !== undefined;
    };
    const page = { mode: 'navigate' } as const;
    expect(isAnswered(`${ORIGIN}/config.js`)).toBe(true);
    expect(isAnswered(`${ORIGIN}/index.html`)).toBe(true);
    for (const path of ['/', '/home', '/woman-info/mina']) expect(isAnswered(`${ORIGIN}${path}`, page)).toBe(true);

    const passed = [
      '/auth/refresh_token',
      '/auth/login',
      '/v1/realtime',
      '/v1/users/mina/login',
      '/ws/events',
      '/ws/online/mina',
      '/users/discover',
      '/channels',
      '/wallet',
      '/media/abc?until=1&sign=x',
      '/portraits/mina.svg',
      '/assets/unknown.js',
      '/config.js.map',
    ];
    for (const path of passed) expect([path, isAnswered(`${ORIGIN}${path}`)]).toEqual([path, false]);
    for (const path of passed.filter((one) => !['/users/discover', '/channels', '/wallet'].includes(one))) {
      expect([path, isAnswered(`${ORIGIN}${path}`, page)]).toEqual([path, false]);
    }
    for (const url of ['https://api.example/config.js', 'https://evil.example/index.html', 'https://evil.example/']) {
      expect([url, isAnswered(url), isAnswered(url, page)]).toEqual([url, false, false]);
    }
    expect(isAnswered(`${ORIGIN}/config.js`, { method: 'POST', body: 'x' })).toBe(false);
  });

  it('S41 B73: a click on a notification opens the site itself, whatever address the message or the notification has', async () => {
    const { tell, openWindow } = await started();
    const evil = 'https://evil.example/';
    const close = vi.fn();
    tell('notificationclick', {
      notification: { close, data: { url: evil, FCM_MSG: { notification: { click_action: evil } } }, title: evil },
      action: evil,
      waitUntil: () => undefined,
    });
    expect(openWindow.mock.calls).toEqual([[`${ORIGIN}/`]]);
    expect(close).toHaveBeenCalledOnce();
  });

  it.each([
    ['/rooms/r-1_A', '/rooms/r-1_A'],
    ['/rooms/../home', '/'],
    ['/rooms/a/b', '/'],
    ['//evil.example/rooms/r1', '/'],
    [undefined, '/'],
  ])('S41: a click on a notification with the path %s opens %s', async (data, path) => {
    const { tell, openWindow } = await started();
    tell('notificationclick', { notification: { close: vi.fn(), data }, waitUntil: () => undefined });
    expect(openWindow.mock.calls).toEqual([[`${ORIGIN}${path}`]]);
  });
});

describe('a message while no page is open', () => {
  function worker(some: { locale?: string; languages?: readonly string[] } = {}) {
    const showNotification = vi.fn(() => Promise.resolve());
    const scope = {
      location: { origin: 'https://ringback.example' },
      navigator: { languages: some.languages ?? [] },
      registration: { showNotification },
      cookieStore: { get: () => Promise.resolve(some.locale === undefined ? null : { value: some.locale }) },
    };
    return { scope, showNotification };
  }

  it('is shown in the chosen language, otherwise in that of the browser, otherwise in Chinese', async () => {
    for (const [some, title] of [
      [{ locale: 'en', languages: ['zh-TW'] }, '小美 is calling you!'],
      [{ languages: ['en-GB'] }, '小美 is calling you!'],
      [{ languages: ['fr'] }, '小美正在打電話給你！'],
      [{ locale: 'xx' }, '小美正在打電話給你！'],
    ] as const) {
      const { scope, showNotification } = worker(some);
      await showPush('{"type":"CALL","name":"小美"}', scope);
      expect(showNotification).toHaveBeenCalledWith(title, expect.objectContaining({ requireInteraction: true }));
    }
  });

  it('is shown even when it cannot be read, since a push service requires a notification for each', async () => {
    const { scope, showNotification } = worker();
    await showPush('', scope);
    expect(showNotification).toHaveBeenCalledWith('Ringback 有新消息', expect.objectContaining({ icon: DEFAULT_ICON }));
  });
});

describe('the manifest', () => {
  const picture = v.object({
    src: v.pipe(v.string(), v.startsWith('/')),
    sizes: v.pipe(v.string(), v.regex(/^\d+x\d+$/)),
    type: v.literal('image/png'),
    purpose: v.optional(v.picklist(['any', 'maskable'])),
    form_factor: v.optional(v.picklist(['narrow', 'wide'])),
    label: v.optional(v.string()),
  });
  const manifest = v.object({
    id: v.literal('/'),
    start_url: v.literal('/'),
    scope: v.literal('/'),
    lang: v.literal('zh-Hant-TW'),
    name: v.pipe(v.string(), v.regex(/\p{Script=Han}/u)),
    short_name: v.pipe(v.string(), v.maxLength(12)),
    display: v.literal('standalone'),
    icons: v.array(picture),
    screenshots: v.array(picture),
    shortcuts: v.array(v.object({ name: v.string(), url: v.pipe(v.string(), v.startsWith('/')) })),
  });
  const read = async () => v.parse(manifest, JSON.parse(await readFile(join(PUBLIC, 'manifest.json'), 'utf8')));

  it('lists existing pictures with their true sizes, and of every kind', async () => {
    const { icons, screenshots, shortcuts } = await read();
    for (const { src, sizes } of [...icons, ...screenshots]) {
      const { width, height, format } = await sharp(join(PUBLIC, src)).metadata();
      expect(`${width}x${height} ${format}`, src).toBe(`${sizes} png`);
    }
    expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '192x192 maskable',
      '512x512 maskable',
    ]);
    expect(screenshots.map(({ form_factor }) => form_factor)).toEqual(['narrow', 'wide']);
    expect(shortcuts.length).toBeGreaterThan(1);
  });

  it('the icon of notifications exists', async () => {
    expect((await sharp(join(PUBLIC, DEFAULT_ICON)).metadata()).width).toBe(192);
  });
});
