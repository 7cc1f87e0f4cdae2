/**
 * Tests push messages in the browser: the service worker shows them while the app is closed, and the page while it
 * is open.
 */
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { signIn } from './support/sign-in.ts';
import type { Stack } from './support/stack.ts';
import { test } from './support/worker-test.ts';

test.use({ serviceWorkers: 'allow', locale: 'zh-TW' });

const TITLES = [
  [{ type: 'CHAT', name: '小美' }, '你有一則來自小美的訊息！'],
  [{ type: 'CALL', name: '小美' }, '小美正在打電話給你！'],
  [{ type: 'ONLINE', name: '小美' }, '小美上線了'],
  [{ type: 'GIFT', name: '小美', gift_name: '玫瑰', coin: 520 }, '用戶小美送了玫瑰給你（價值：520）'],
  [{ type: 'anything', name: '<b>小美</b>', icon: 'javascript:alert(1)' }, '<b>小美</b>正在打視訊電話給你！'],
] as const;

/** Opens the app with the notification permission, and waits for its service worker. */
async function open(page: Page, { appUrl }: Stack): Promise<void> {
  await page.context().grantPermissions(['notifications'], { origin: appUrl });
  await page.goto(appUrl);
  await page.evaluate(() => navigator.serviceWorker.ready);
}

/** Delivers a message as a push service would. */
async function deliver(page: Page, origin: string, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((found) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (ours) found(ours.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
  await devtools.detach();
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const notifications = await (await navigator.serviceWorker.ready).getNotifications();
    return notifications.map(({ title, icon, requireInteraction }) => ({ title, icon, requireInteraction }));
  });

const workerOf = (context: BrowserContext) => context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');

test('NOT-03: the service worker shows the titles of app-shell §9 for CHAT, CALL, ONLINE, GIFT and any other type, in Chinese', async ({
  page,
  stack,
}) => {
  await open(page, stack);
  for (const [payload] of TITLES) await deliver(page, stack.appUrl, JSON.stringify(payload));
  await expect.poll(async () => (await shown(page)).length).toBe(TITLES.length);
  const all = await shown(page);
  expect(all.map(({ title }) => title).sort()).toEqual(TITLES.map(([, title]) => title).sort());
  for (const { icon, requireInteraction } of all) {
    expect({ icon, requireInteraction }).toEqual({
      icon: `${stack.appUrl}/icons/notification.png`,
      requireInteraction: true,
    });
  }
});

test('NOT-04: a click on a notification of the worker opens the site in a new tab, whatever address the payload names', async ({
  page,
  context,
  stack,
}) => {
  await open(page, stack);
  const url = 'https://evil.example/';
  await deliver(page, stack.appUrl, JSON.stringify({ type: 'CALL', name: '小美', url, data: { url } }));
  await expect.poll(async () => (await shown(page)).length).toBe(1);
  const worker = await workerOf(context);
  const opened = await worker.evaluate(async () => {
    const scope = Object(globalThis);
    const calls: string[] = [];
    Object.defineProperty(scope.clients, 'openWindow', {
      value: (address: string) => {
        calls.push(address);
        return Promise.resolve(null);
      },
    });
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
    return calls;
  });
  expect(opened).toEqual([`${stack.appUrl}/`]);
  await expect.poll(() => shown(page)).toEqual([]);
});

test('NOT-04: an open page shows the notification itself, and a click opens the site in a new tab', async ({
  page,
  context,
  stack,
}) => {
  await context.grantPermissions(['notifications'], { origin: stack.appUrl });
  await page.addInitScript(() => {
    const made: Notification[] = [];
    const Native = Notification;
    Object.assign(globalThis, {
      made,
      Notification: class extends Native {
        constructor(title: string, options: NotificationOptions) {
          super(title, options);
          made.push(this);
        }
      },
    });
  });
  const socket = new Promise<(event: object) => void>((connected) => {
    void page.routeWebSocket(/\/ws\/events/, (route) => {
      route.connectToServer();
      connected((event) => route.send(JSON.stringify({ seq: 1, event })));
    });
  });
  await signIn(page, stack, 'bob');
  const send = await socket;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  send({
    type: 'push',
    payload: { type: 'GIFT', name: '小美', gift_name: '玫瑰', coin: '520', url: 'https://evil.example/' },
  });
  const made = () =>
    page.evaluate(() =>
      Object(globalThis).made.map(({ title, requireInteraction }: Notification) => ({ title, requireInteraction })),
    );
  await expect.poll(made).toEqual([{ title: '用戶小美送了玫瑰給你（價值：520）', requireInteraction: true }]);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(() => void Object(globalThis).made[0].dispatchEvent(new Event('click'))),
  ]);
  await tab.waitForURL((url) => url.origin === stack.appUrl);
});

test('NOT-07: in the browser of Line an alert recommends Safari or Chrome, and the app does not offer push', async ({
  browser,
  stack,
}) => {
  const context = await browser.newContext({
    locale: 'zh-TW',
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari Line/15.2.0',
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 320, height: 640 },
  });
  const page = await context.newPage();
  await page.goto(stack.appUrl);
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText('Safari 或 Chrome');
  await expect(alert).toContainText('推播、視訊、全螢幕');
  await alert.getByRole('button', { name: '複製連結' }).click();
  await expect(page.getByRole('status').filter({ hasText: '已複製連結' })).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= 320)).toBe(true);
  // The app may not read the clipboard.
  const elsewhere = await context.newPage();
  await elsewhere.goto(`${stack.simUrl}/openapi.json`);
  expect(await elsewhere.evaluate(() => navigator.clipboard.readText())).toContain(stack.appUrl);
  await elsewhere.close();
  await alert.getByRole('button', { name: '知道了' }).click();
  await expect(alert).toHaveCount(0);
  await context.close();
});
