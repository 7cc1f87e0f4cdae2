/** Tests the screens before the login, and the frame around every screen after it: the built app with a real server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { test } from './support/app-test.ts';
import { APP } from './support/stack.ts';

test.use({ locale: 'zh-TW' });

/** Returns the files that the app loads before its first screen: those of the page, and their imports. */
function firstCode(): string[] {
  const read = (file: string) => readFileSync(join(APP, file), 'utf8');
  const files = new Set<string>();
  const add = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, name] of read(file).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      add(`/assets/${name}`);
  };
  for (const [, file = ''] of read('index.html').matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) add(file);
  return [...files];
}

test('at most 125 kB of code are loaded before the first screen, in one file', () => {
  const files = firstCode();
  expect(files).toEqual([expect.stringMatching(/^\/assets\/index-/)]);
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(APP, file))).length, 0);
  expect(bytes).toBeLessThanOrEqual(125_000);
});

test('SCR-02: / and /home are the landing page, with the entries for men and for women, and need no server', async ({
  page,
  site,
}) => {
  await page.route(`${site.simUrl}/**`, (route) => route.abort());
  for (const path of ['/', '/home']) {
    await page.goto(site.appUrl + path);
    await expect(page.getByRole('heading', { level: 1, name: '今晚，找個聊得來的人' })).toBeVisible();
    await expect(page.getByRole('link', { name: /男生註冊/ })).toHaveAttribute('href', '/register-man');
    await expect(page.getByRole('link', { name: /女生註冊/ })).toHaveAttribute('href', '/register-woman');
    await expect(page.getByRole('link', { name: '登入' })).toHaveAttribute('href', '/login');
    await expect(page.getByText('僅限 18 歲以上使用')).toBeVisible();
    await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText(['隱私權政策', '服務條款']);
    // The picture that was shown before the code has been replaced, and the portraits came from the app.
    await expect(page.locator('#first-picture')).toBeHidden();
    const faces = page.locator('main img');
    await expect(faces).toHaveCount(6);
    for (const face of await faces.all())
      await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
});

test('SCR-01: a screen loads on demand behind a placeholder with the text "Loading..." in a polite status', async ({
  page,
  site,
}) => {
  let letThrough = (): void => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/\/login-[\w-]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(site.appUrl);
  await page.getByRole('link', { name: '登入', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toHaveText('Loading...');
  letThrough();
  await expect(page.getByRole('heading', { level: 1, name: '登入' })).toBeFocused();
  await expect(page.getByText('Loading...')).toHaveCount(0);
});

test('the landing page is visible before any code has loaded, in the stored language and theme, and nothing moves afterwards', async ({
  page,
  site,
}) => {
  let letThrough = (): void => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.context().addCookies([
    { name: 'ringback_locale', value: 'en', url: site.appUrl },
    { name: 'ringback_theme', value: 'light', url: site.appUrl },
  ]);
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${site.appUrl}/home`, { waitUntil: 'commit' });
  const first = page.locator('#first-picture');
  await expect(first.getByText('Tonight, find someone to talk to')).toBeVisible();
  await expect(first.getByText('今晚，找個聊得來的人')).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  const placeOfFirst = await first.locator('h1[lang=en]').boundingBox();
  const faceOfFirst = await first.locator('li').nth(4).boundingBox();
  letThrough();
  await expect(first).toBeHidden();
  expect(await page.getByRole('heading', { level: 1 }).boundingBox()).toEqual(placeOfFirst);
  expect(await page.locator('main li').nth(4).boundingBox()).toEqual(faceOfFirst);
});

test('a signed-in user is redirected from the landing page to the home page', async ({ signedIn, site }) => {
  const page = await signedIn('alice');
  await expect(page.locator('html[data-first-picture]')).toHaveCount(0);
  await page.goto(`${site.appUrl}/`);
  await expect(page.getByRole('link', { name: /男生註冊/ })).toHaveCount(0);
  await page.getByRole('link', { name: '回到我的首頁' }).click();
  await expect(page).toHaveURL(/\/home-woman$/);
});

for (const { id, path, title, heading, words, other } of [
  { id: 'SCR-03', path: '/privacy', title: '隱私權政策', heading: '6. 身分文件', words: '文件', other: '服務條款' },
  { id: 'SCR-04', path: '/service', title: '服務條款', heading: '5. 金幣', words: '金幣', other: '隱私權政策' },
]) {
  test(`${id}: ${path} shows the whole text, is linked from the landing page, and can be navigated by its contents, searched and printed`, async ({
    page,
    site,
    context,
  }) => {
    await page.goto(site.appUrl);
    await page.getByRole('contentinfo').getByRole('link', { name: title }).click();
    await expect(page).toHaveURL(site.appUrl + path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused();
    await context.setOffline(true);
    await expect(page).toHaveTitle(new RegExp(title));
    const parts = page.getByRole('article').getByRole('heading', { level: 2 });
    const all = await parts.count();
    expect(all).toBeGreaterThan(10);
    await page.getByRole('navigation', { name: '目錄' }).getByRole('link', { name: heading }).press('Enter');
    await expect(page.getByRole('heading', { name: heading })).toBeFocused();
    await expect(page.getByRole('heading', { name: heading })).toBeInViewport();

    await page.getByRole('searchbox').fill(words);
    await expect(page.getByRole('status').filter({ hasText: /找到 \d+ 處/ })).toBeVisible();
    const found = Number(
      (await page.getByRole('status').filter({ hasText: '找到' }).innerText()).replaceAll(/\D/g, ''),
    );
    await expect(page.locator('mark')).toHaveCount(found);
    expect(await parts.count()).toBeLessThan(all);
    await page.getByRole('searchbox').fill('不存在的字');
    await page.getByRole('button', { name: '清除搜尋' }).click();
    await expect(parts).toHaveCount(all);

    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('searchbox')).toBeHidden();
    await expect(parts.last()).toBeVisible();
    await page.emulateMedia({ media: null });
    await context.setOffline(false);
    await page.getByRole('article').getByRole('link', { name: other }).click();
    await expect(page.getByRole('heading', { level: 1, name: other })).toBeFocused();
  });
}

test('SCR-03 SCR-04 SCR-05 SCR-06 SCR-07: a visitor opens each public screen by its address', async ({
  page,
  site,
}) => {
  for (const path of ['/privacy', '/service', '/register-man', '/register-woman', '/login']) {
    await page.goto(site.appUrl + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(site.appUrl + path);
  }
});

test('SCR-26: a visitor is redirected from a user’s screen to the landing page, and a user of the other kind reads who may open the screen', async ({
  page,
  site,
  signedIn,
}) => {
  await page.goto(`${site.appUrl}/home-man`);
  await expect(page).toHaveURL(`${site.appUrl}/home`);
  await expect(page.getByRole('link', { name: /男生註冊/ })).toBeVisible();

  const man = await signedIn('bob');
  await man.goto(`${site.appUrl}/home-woman`);
  await expect(man.getByRole('heading', { level: 1, name: '這一頁是給女生用的' })).toBeVisible();
  await man.getByRole('link', { name: '回到我的首頁' }).click();
  await expect(man).toHaveURL(/\/home-man$/);
});

test('an unknown address shows the not-found screen, repeats no part of the address, and links to the home page', async ({
  signedIn,
  site,
}) => {
  const page = await signedIn('bob');
  const evil = '/%3Cimg%20src=x%20onerror=alert(1)%3E?next=javascript:alert(1)';
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(site.appUrl + evil);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('這裡沒有這個頁面');
  await expect(main.locator('img')).toHaveCount(0);
  await expect(main).not.toContainText('onerror');
  await main.getByRole('link', { name: '回首頁' }).click();
  await expect(page).toHaveURL(`${site.appUrl}/home`);
  expect(dialogs).toEqual([]);
});
