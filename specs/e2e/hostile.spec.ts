/** Tests that texts and links of a malicious user stay text for every other user, and lead to no other site. */
import { expect, type Page, type Route } from '@playwright/test';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { test as base } from './support/app-test.ts';
import { signIn, type Site } from './support/sign-in.ts';
import { startStack } from './support/stack.ts';
import { setTrap } from './support/trap.ts';

/** Texts that would open a dialog if a page read them as markup. */
const MARKUP = `"><img src=x onerror=alert(1)><svg/onload=alert(2)><script>alert(3)</script>`;
const SHORT_MARKUP = '<svg/onload=alert()>';
/** Reverses the direction of the text after it (U+202E). */
const TURNED = '\u202Egnp.exe';

/**
 * Addresses that are not pictures: scripts, markup, other hosts. A page on https would also refuse a picture over
 * http. No server here speaks https, so specs/unit/app/configuration.test.ts tests that case.
 */
const PICTURES = [
  'javascript:alert(4)',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(5)"/>',
  '//evil.example/a.png',
  '/\\evil.example/a.png',
  'file:///etc/passwd',
  ' java\tscript:alert(6)',
];

const HOSTILE = {
  gender_type: 'woman',
  age: 30,
  price: 40,
  verified: true,
  accepts_video: true,
  joined_at: 1,
} as const;
const MALLORY = { ...HOSTILE, u_id: 'mallory', nickname: MARKUP, city: MARKUP };

/** A signed-in user, whose page has the trap from the start. */
interface Trapped {
  readonly page: Page;
  /** Delivers an event as if the server had sent it. */
  deliver(event: object): void;
}

const test = base.extend<{ trapped: (userId: string) => Promise<Trapped> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  site: async ({}, use) => {
    const stack = await startStack({ users: [...demoPeople(), MALLORY], demo: true });
    await use(stack);
    await stack.close();
  },
  trapped: async ({ browser, site }, use) => {
    const all: { page: Page; caught: readonly string[] }[] = [];
    await use(async (userId) => {
      const context = await browser.newContext({ locale: 'zh-TW' });
      const page = await context.newPage();
      all.push({ page, caught: setTrap(page, site) });
      await page.route(`${site.simUrl}/**`, withPictures);
      const told = await followSockets(page);
      await signIn(page, site, userId);
      return { page, deliver: (event) => told.forEach((send) => send(JSON.stringify({ seq: 1, event }))) };
    });
    for (const { page, caught } of all) {
      expect(caught).toEqual([]);
      await page.context().close();
    }
  },
});

/**
 * Replaces every picture address of the server by a malicious one. This server refuses to store them, and another
 * server may not.
 */
async function withPictures(route: Route): Promise<void> {
  const response = await route.fetch();
  if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response });
  await route.fulfill({ response, body: misled(await response.text()) });
}

let turn = 0;
const misled = (text: string): string =>
  text.replaceAll(/"(profile_url|profileUrl|small|url)":"[^"]*"/g, (_, name: string) => {
    turn += 1;
    return `"${name}":${JSON.stringify(PICTURES[turn % PICTURES.length])}`;
  });

/**
 * Changes the messages of every socket in the same way. Returns functions that send messages on the socket of
 * product events.
 */
async function followSockets(page: Page): Promise<Set<(text: string) => void>> {
  const told = new Set<(text: string) => void>();
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(typeof message === 'string' ? misled(message) : message));
    if (socket.url().includes('/ws/events')) told.add((text) => socket.send(text));
  });
  return told;
}

/** Checks that the page loads only pictures of the app and of its server, and that some pictures are placeholders. */
async function expectPlaceholders(page: Page, { appUrl, simUrl }: Site): Promise<void> {
  await expect(page.locator('[data-placeholder]').first()).toBeVisible();
  const sources = await page.locator('img').evaluateAll((all) => all.map((image) => image.getAttribute('src') ?? ''));
  const isOurs = (url: string): boolean => [appUrl, simUrl].includes(new URL(url, appUrl).origin);
  expect(sources.filter((url) => !isOurs(url))).toEqual([]);
}

test('S38: the trap of these tests catches a dialog and a request to another host, and every app test catches an error and a policy violation', async ({
  page,
  site,
  faults,
}) => {
  const caught = setTrap(page, site);
  const body = '<img src="https://evil.example/a.png"><img src=x onerror="alert(1)">';
  await page.route('https://evil.example/**', (route) => route.abort());
  await page.route(`${site.appUrl}/door`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${site.appUrl}/door`);
  await expect.poll(() => caught).toEqual(['asked evil.example', 'opened a dialog: 1']);
  faults.length = 0;
  await page.goto(site.appUrl);
  await page.evaluate((markup) => {
    setTimeout(() => {
      throw new Error('boom');
    });
    document.body.insertAdjacentHTML('beforeend', markup);
  }, MARKUP);
  await expect.poll(() => faults.join('\n')).toMatch(/^threw: boom$/m);
  await expect.poll(() => faults.join('\n')).toMatch(/^broke the policy: .*script-src 'self'/m);
  faults.length = 0;
});

test('S37 B74: a malicious name, city, introduction and picture are shown as text and placeholder, on every screen and sheet', async ({
  trapped,
  site,
}) => {
  const mallory = await trapped('mallory');
  await ask(mallory.page, 'PATCH', '/me/profile', { intro: `${MARKUP}${TURNED}`, job: SHORT_MARKUP });
  const { page } = await trapped('bob');
  await page.getByRole('button', { name: `${MARKUP}，` }).click();
  const sheet = page.getByRole('dialog', { name: MARKUP });
  await expect(sheet.getByRole('heading')).toContainText(MARKUP);
  await expectPlaceholders(page, site);
  await sheet.getByRole('link', { name: '看完整檔案' }).click();
  await expect(page.getByRole('heading', { level: 1, name: MARKUP })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(`${MARKUP}${TURNED}`);
  await expect(page.getByText(SHORT_MARKUP)).toBeVisible();
  await expectPlaceholders(page, site);

  await page.getByRole('button', { name: '送禮' }).click();
  const gifts = page.getByRole('dialog', { name: `送禮給${MARKUP}` });
  await expect(gifts.getByRole('radio').first()).toBeVisible();
  await page.keyboard.press('Escape');
  for (const name of ['檢舉', '封鎖']) {
    await page.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name }).click();
    await expect(page.getByRole(name === '檢舉' ? 'dialog' : 'alertdialog')).toContainText(MARKUP);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '封鎖' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '封鎖' }).click();
  await expect(page.getByRole('status').filter({ hasText: MARKUP }).first()).toBeAttached();
  await go(page, '/settings');
  await page.getByRole('button', { name: `解除封鎖 ${MARKUP}` }).click();
  await expect(page.getByText('沒有封鎖任何人')).toBeVisible();

  // The user's own profile.
  await go(mallory.page, '/woman-edit');
  await expect(mallory.page.getByRole('textbox', { name: '暱稱' })).toHaveValue(MARKUP);
  await expectPlaceholders(mallory.page, site);
});

test('S37: a chat message is shown as text, a link in it opens only web addresses, and its notification is plain text', async ({
  trapped,
  site,
}) => {
  const [mallory, { page, deliver }] = [await trapped('mallory'), await trapped('bob')];
  const { channel_url } = await ask(mallory.page, 'POST', '/channels', { u_id: 'bob' });
  const said = [MARKUP, 'javascript:alert(7)', 'data:text/html,<script>alert(8)</script>', 'https://example.com/a'];
  for (const [at, text] of said.entries()) {
    await ask(mallory.page, 'POST', `/channels/${channel_url}/messages`, {
      client_id: `hostile-${at}`,
      type: 'text',
      text,
    });
  }
  await page.getByRole('link', { name: /^聊天/ }).click();
  await page.getByRole('link', { name: MARKUP }).click();
  const log = page.getByRole('log');
  for (const text of said) await expect(log.getByText(text, { exact: true }).first()).toBeVisible();
  await expect(log.getByRole('link')).toHaveCount(1);
  await expect(log.getByRole('link')).toHaveAttribute('href', 'https://example.com/a');
  await expect(log.getByRole('link')).toHaveAttribute('rel', /noopener noreferrer/);
  await expect(page.getByRole('textbox', { name: `傳訊息給${MARKUP}` })).toBeVisible();
  await expectPlaceholders(page, site);

  deliver({
    type: 'push',
    payload: { type: 'GIFT', name: MARKUP, gift_name: MARKUP, coin: MARKUP, icon: PICTURES[0] },
  });
  await expect(page.getByRole('status').filter({ hasText: '"><img src=x onerror=' }).first()).toBeAttached();
});

test('S37 B74: a malicious caller is shown as text and placeholder on the card, in the call, in the summary and in the missed calls', async ({
  trapped,
  site,
}) => {
  const [mallory, { page }] = [await trapped('mallory'), await trapped('bob')];
  const card = page.getByRole('alertdialog', { name: MARKUP });
  const call = page.getByRole('dialog', { name: `與${MARKUP}的語音通話` });
  const her = mallory.page.getByRole('dialog', { name: '與Bob的語音通話' });
  await mallory.page.getByRole('button', { name: /^Bob，/ }).click();
  await mallory.page.getByRole('dialog', { name: 'Bob' }).getByRole('button', { name: '語音通話' }).click();
  await expect(card).toBeVisible();
  await expectPlaceholders(page, site);
  await her.getByRole('button', { name: '結束通話' }).click();
  await expect(page.getByText(`${MARKUP} 的未接來電`)).toBeVisible();

  await mallory.page.getByRole('dialog', { name: 'Bob' }).getByRole('button', { name: '語音通話' }).click();
  await card.getByRole('button', { name: '接聽' }).click();
  await expect(call.locator('strong').filter({ hasText: MARKUP })).toBeVisible();
  await expect(call).toHaveAttribute('data-phase', 'connected');
  await call.getByRole('button', { name: '縮小通話' }).click();
  await expect(page.getByRole('region', { name: `與${MARKUP}的語音通話` })).toContainText(MARKUP);
  await expectPlaceholders(page, site);
  await her.getByRole('button', { name: '結束通話' }).click();
  await page.getByRole('button', { name: '展開通話' }).click();
  await expect(call).toContainText('通話結束');
});

test('B72: a malicious address leads to the not-found screen, and breaks no screen', async ({ trapped, site }) => {
  const evil = encodeURIComponent(MARKUP);
  const { page } = await trapped('bob');
  const nobody = page.getByRole('heading', { name: '找不到這個人' });
  const noChat = page.getByRole('alert').filter({ hasText: '找不到這段對話' });
  const noType = page.getByRole('heading', { name: '沒有這種交易類型' });
  const nowhere = page.getByRole('heading', { level: 1, name: '這裡沒有這個頁面' });
  for (const [path, words] of [
    [`/woman-info/${evil}`, nobody],
    ['/woman-info/..%2F..%2Fwallet', nobody],
    ['/man-info?id=..', nobody],
    ['/man-info?id=..%2F..%2Fme', nobody],
    ['/man-chat-list/javascript:alert(9)', noChat],
    [`/man-chat-list/data:text%2Fhtml,${evil}`, noChat],
    ['/man-chat-list/..%2Fchannels', noChat],
    ['/transactions-record/zzz', noType],
    ['/transactions-record/__proto__', noType],
    ['/transactions-record/constructor', noType],
    [`/nowhere/${evil}`, nowhere],
    ['/woman-info', nowhere],
    ['/__proto__', nowhere],
  ] as const) {
    await go(page, path);
    await expect(words, path).toBeVisible();
  }
  // Half of a surrogate pair, and an address outside the app that the browser treats as inside.
  await page.goto(`${site.appUrl}/woman-info/%E0%A4`);
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.goto(`${site.appUrl}/woman-info/../..`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const back of ['javascript:alert(10)', '//evil.example', '/\\evil.example', 'https://evil.example']) {
    await go(page, `/purchase/deposit?return=${encodeURIComponent(back)}`);
    await expect(page.getByRole('heading', { level: 1, name: '儲值' })).toBeVisible();
    const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => Object(link).href as string));
    expect(links.filter((href) => new URL(href).origin !== site.appUrl)).toEqual([]);
  }
});

/** Goes to an address of the app by its router, as links do. */
async function go(page: Page, path: string): Promise<void> {
  // The app ignores the event before its first screen.
  await page.locator('#root h1').first().waitFor();
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Sends a request as the signed-in user of the page, also one that the screens do not offer. */
async function ask(page: Page, method: string, path: string, body: object): Promise<{ channel_url: string }> {
  const answer = await page.evaluate(
    async ([where, init]) => {
      const { api_url } = (globalThis as unknown as { __CONFIG__: { api_url: string } }).__CONFIG__;
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' };
      const response = await fetch(`${api_url}${where}`, { ...init, headers });
      return { status: response.status, text: await response.text() };
    },
    [path, { method, body: JSON.stringify(body) }] as const,
  );
  expect(answer.status, answer.text).toBeLessThan(300);
  return JSON.parse(answer.text || '{}');
}
