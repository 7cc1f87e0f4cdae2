/** Tests the app with a failing network, a server that does not respond, and another user in another tab. */
import { expect, type Page } from '@playwright/test';
import { test } from './support/app-test.ts';
import { signIn } from './support/sign-in.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

test.use({ locale: 'zh-TW' });

const home = (page: Page) => page.getByRole('navigation', { name: '主要選單' });

test('F66 SES-02: a 503 response keeps the user signed in, and a refusal signs the user out', async ({
  signedIn,
  site,
}) => {
  const page = await signedIn('alice');
  let status = 503;
  await page.route('**/auth/refresh_token', (route) =>
    route.fulfill({ status, json: { code: 'signed_out', message: 'Sign in first.' } }),
  );
  // The app writes this after it has decided about the response.
  const decided = page.waitForEvent('console', (line) => line.text().includes('the stored session '));
  await page.reload();
  expect((await decided).text()).toContain('could not be checked');
  // After a sign-out the landing page would be visible by then.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await expect(home(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('u_id'))).toBe('alice');
  status = 401;
  await page.reload();
  await expect(home(page)).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await expect(page).toHaveURL(`${site.appUrl}/home`);
});

test('F64: live events use a new socket as soon as the network is back', async ({ signedIn }) => {
  const page = await signedIn('alice');
  const opened = () => page.waitForEvent('websocket', (socket) => socket.url().includes('/ws/events'));
  const appUrl = page.url();
  // A frame of the signed-in page is then not taken for one of the loaded page.
  await page.goto('about:blank');
  // The first frame can arrive in the same turn as the socket, so the listener is added with it.
  const received = new Promise((resolve) => {
    page.on('websocket', (socket) => {
      if (socket.url().includes('/ws/events')) socket.once('framereceived', resolve);
    });
  });
  await page.goto(appUrl);
  await received;
  await page.context().setOffline(true);
  const next = opened();
  await page.context().setOffline(false);
  const { url } = await next.then((socket) => ({ url: socket.url() }));
  // The app requests the events that it has missed.
  expect(url).toContain('?after=');
});

test('SES-06: a tab stops when another user signs in in another tab, and continues as that user on request', async ({
  signedIn,
  site,
}) => {
  const page = await signedIn('alice');
  await expect(home(page)).toBeVisible();
  const asked: string[] = [];
  const other = await page.context().newPage();
  await signIn(other, site, 'bob');
  const [token, uId] = await other.evaluate(() => ['token', 'u_id'].map((name) => localStorage.getItem(name)));
  page.on('request', (request) => {
    if (request.headers()['authorization'] === `Bearer ${token}`) asked.push(request.url());
  });
  await expect(page.getByRole('heading', { name: '已登入另一個帳號' })).toBeVisible({ timeout: scaled(15_000) });
  await expect(home(page)).toHaveCount(0);
  expect([uId, asked]).toEqual(['bob', []]);
  await page.getByRole('link', { name: '以 bob 繼續' }).click();
  await expect(page).toHaveURL(`${site.appUrl}/home-man`);
  await expect(home(page)).toBeVisible();
});
