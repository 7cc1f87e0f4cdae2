/** Tests a chat between two users in two browsers, with a real exchange. */
import { expect, type Page } from '@playwright/test';
import { test as base } from './support/app-test.ts';
import { startStack } from './support/stack.ts';

/** The server of a demo world without chats. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  site: async ({}, use) => {
    const stack = await startStack();
    await use(stack);
    await stack.close();
  },
});

const bubbles = (page: Page) => page.getByRole('log').locator('li');
const composer = (page: Page) => page.getByRole('textbox', { name: /^傳訊息給/ });

/** A picture file of a few bytes. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('PROD-01: users chat in real time. SCR-23: /chat-list and SCR-24: /man-chat-list, the same view, list their chats, and SCR-25: /man-chat-list/{channelUrl}, the same view with one open channel, shows its messages', async ({
  signedIn,
}) => {
  const [alice, bob] = [await signedIn('alice'), await signedIn('bob')];

  // A user without chats sees a suggestion. A request of Alice's page makes it Bob here.
  await alice.goto(new URL('/chat-list', alice.url()).href);
  await expect(alice.getByRole('heading', { level: 1, name: '聊天' })).toBeVisible();
  await expect(alice.getByText('還沒有聊天')).toBeVisible();
  const channelUrl = await alice.evaluate(openChannel, 'bob');

  // A chat of other users, or an unknown one, shows an error in the pane beside the list.
  await alice.goto(new URL('/man-chat-list/javascript%3Aalert(1)', alice.url()).href);
  await expect(alice.getByRole('alert')).toContainText('找不到這段對話');
  await expect(alice.getByRole('region', { name: '聊天列表' })).toBeVisible();

  await alice.goto(new URL(`/man-chat-list/${channelUrl}`, alice.url()).href);
  await composer(alice).fill('晚安 <b>Bob</b>，看 https://example.com/a');
  await composer(alice).press('Enter');
  await expect(bubbles(alice).last()).toContainText('已送達');
  await expect(bubbles(alice).last().getByRole('link')).toHaveAttribute('rel', /noopener noreferrer/);

  // Bob is on another screen. His tab counts the message, his list shows it, and Alice sees when he has read it.
  await expect(bob.getByRole('link', { name: /聊天.*1/ })).toBeVisible();
  await bob.getByRole('link', { name: /聊天/ }).click();
  await bob.getByRole('link', { name: /Alice.*晚安/ }).click();
  await expect(bubbles(bob).last()).toContainText('晚安 <b>Bob</b>');
  await expect(bob.getByRole('log').getByText('1 則未讀訊息', { exact: true })).toBeVisible();
  await expect(bubbles(alice).last()).toContainText('已讀');

  await composer(bob).pressSequentially('好');
  await expect(alice.getByText('正在輸入…')).toBeVisible();
  await composer(bob).fill('');
  await expect(alice.getByText('正在輸入…')).toBeHidden();

  // Text in composition is not sent.
  await composer(bob).fill('ㄋㄧˇ');
  await composer(bob).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  await expect(composer(bob)).toHaveValue('ㄋㄧˇ');
  await composer(bob).fill('');

  await bob.locator('input[type=file]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: PNG });
  await bubbles(alice).last().getByRole('button', { name: '放大照片' }).click();
  await expect(alice.getByRole('dialog', { name: '照片' }).getByRole('img')).toHaveJSProperty('naturalWidth', 1);
  await alice.keyboard.press('Escape');

  await alice.getByRole('button', { name: '錄製語音留言' }).click();
  await expect(alice.getByText('錄音中')).toBeVisible();
  await expect(alice.getByRole('timer')).not.toHaveText('00:00');
  await alice.getByRole('button', { name: '傳送語音留言' }).click();
  await bubbles(bob).last().getByRole('button', { name: '播放語音留言' }).click();
  await expect(bubbles(bob).last().getByRole('button', { name: '暫停' })).toBeVisible();

  // A message written without a network waits, also through a reload, and is sent in order.
  await alice.context().setOffline(true);
  for (const text of ['一', '二']) {
    await composer(alice).fill(text);
    await composer(alice).press('Enter');
  }
  await expect(bubbles(alice).last()).toContainText('傳送中');
  expect(
    await alice.evaluate(() => JSON.parse(localStorage.getItem('chat_outbox') ?? '{"texts":[]}').texts.length),
  ).toBe(2);
  await alice.context().setOffline(false);
  await expect(bubbles(bob).last()).toContainText('二');
  await expect(bubbles(bob).nth(-2)).toContainText('一');
  await expect(bubbles(alice).last()).toContainText('已讀');
});

/** In the page: opens the channel with a user, as the app's client does. */
async function openChannel(uId: string): Promise<string> {
  const { api_url } = (globalThis as unknown as { __CONFIG__: { api_url: string } }).__CONFIG__;
  const answer = await fetch(`${api_url}/channels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ u_id: uId }),
  });
  return ((await answer.json()) as { channel_url: string }).channel_url;
}
