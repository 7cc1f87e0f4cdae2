/** What the app makes of a network that fails, of a server that does not answer, and of another user in another tab. */
import { expect, type Page } from '@playwright/test';
import { test } from './support/app-test.ts';
import { signIn } from './support/sign-in.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

test.use({ locale: 'zh-TW' });

const home = (page: Page) => page.getByRole('navigation', { name: '主要選單' });

test('F66 SES-02: a server that answers 503 signs no user out, and a refusal does', async ({ signedIn, site }) => {
  const page = await signedIn('alice');
  let status = 503;
  await page.route('**/auth/refresh_token', (route) =>
    route.fulfill({ status, json: { code: 'signed_out', message: 'Sign in first.' } }),
  );
  // What the app writes when it has decided what the answer means.
  const decided = page.waitForEvent('console', (line) => line.text().includes('the stored session '));
  await page.reload();
  expect((await decided).text()).toContain('could not be checked');
  // A page that signs out has drawn the landing page by then.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await expect(home(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('u_id'))).toBe('alice');
  status = 401;
  await page.reload();
  await expect(home(page)).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await expect(page).toHaveURL(`${site.appUrl}/home`);
});

test('F64: live events come over a new socket as soon as the network is back', async ({ signedIn }) => {
  const page = await signedIn('alice');
  const opened = () => page.waitForEvent('websocket', (socket) => socket.url().includes('/ws/events'));
  // The first frame can arrive in the same turn as the socket, so the listener is added with it.
  const received = new Promise((resolve) => {
    page.on('websocket', (socket) => {
      if (socket.url().includes('/ws/events')) socket.once('framereceived', resolve);
    });
  });
  await page.reload();
  await received;
  await page.context().setOffline(true);
  const next = opened();
  await page.context().setOffline(false);
  const { url } = await next.then((socket) => ({ url: socket.url() }));
  // It asks for what it has missed.
  expect(url).toContain('?after=');
});

test('SES-06: a tab stops when another user signs in in another one, and goes on as them on request', async ({
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
