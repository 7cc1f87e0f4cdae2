/** Tests what a man pays and what he gets for it, screen by screen, with a real server that bills. */
import { expect, type Locator, type Route } from '@playwright/test';
import { MESSAGE_RULES, PACKS } from '../../sim/product/rules.ts';
import { test as base } from './support/app-test.ts';
import { startStack } from './support/stack.ts';

const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  site: async ({}, use) => {
    const stack = await startStack({ billing: true });
    await use(stack);
    await stack.close();
  },
});

test('SCR-16: /purchase/deposit sells coins, SCR-13: /deposit-record lists each attempt, SCR-14: /transactions-chat-record lists the cost of messages, SCR-15: /transactions-record/{type} lists the entries of one type', async ({
  signedIn,
  site,
}) => {
  const page = await signedIn('bob');
  const items = page.getByRole('main').getByRole('listitem');
  const pay = async (): Promise<void> => {
    await page.getByRole('button', { name: /^付款 NT\$/ }).click();
    await page.getByRole('button', { name: '確認付款' }).click();
  };
  const goTo = async (place: string): Promise<void> => {
    await page.getByRole('button', { name: '我的' }).click();
    await page.getByRole('dialog', { name: '我的' }).getByRole('link', { name: place }).click();
  };

  await page.getByRole('link', { name: '儲值', exact: true }).click();
  await expect(page).toHaveURL(/\/purchase\/deposit$/);
  await expect(page.getByRole('radio', { name: / 幣/ })).toHaveCount(PACKS.length);
  await page.getByRole('button', { name: /^付款 NT\$/ }).click();
  await expect(page.getByText('請輸入 12 到 19 位數的卡號')).toBeVisible();
  await page.getByRole('textbox', { name: '卡號' }).fill('4000 0000 0000 0002');
  await pay();
  await expect(page.getByRole('alert')).toContainText('發卡銀行拒絕了這筆交易');
  await page.getByRole('button', { name: '再試一次' }).click();
  await page.getByRole('radio', { name: '超商代碼' }).check();
  await pay();
  await expect(page.getByText('超商繳費代碼')).toBeVisible();
  await expect(page.getByText(/^\d{14}$/)).toBeVisible();
  await page.getByRole('button', { name: '模擬付款完成' }).click();
  await expect(page.getByText('已加入 4,050 幣')).toBeVisible();

  await page.getByRole('link', { name: '儲值紀錄' }).click();
  await expect(page).toHaveURL(/\/deposit-record$/);
  await expect(items).toContainText([/超商代碼.*已完成/, /信用卡.*付款失敗/]);
  await page.getByRole('radio', { name: '付款失敗' }).check();
  await expect(items).toHaveCount(1);
  await items.getByRole('button').click();
  const receipt = page.getByRole('dialog', { name: '儲值明細' });
  await expect(receipt).toContainText(/訂單編號RB\d+/);
  await expect(receipt).toContainText('發卡銀行拒絕了這筆交易');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await receipt.getByRole('button', { name: '複製明細' }).click();
  await expect(page.getByRole('status').filter({ hasText: '已複製儲值明細' })).toHaveCount(1);
  // The app may not read the clipboard.
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(new URL('/openapi.json', site.simUrl).href);
  expect(await elsewhere.evaluate(() => navigator.clipboard.readText())).toMatch(/^儲值明細\n訂單編號：RB\d+\n時間：/);
  await elsewhere.close();
  await page.keyboard.press('Escape');

  await page.evaluate(write, MESSAGE_RULES.free + 2);
  await goTo('聊天與通話紀錄');
  await expect(page).toHaveURL(/\/transactions-chat-record$/);
  await expect(items).toHaveCount(1);
  await expect(items).toContainText(['訊息 · Alice']);
  await expect(items).toContainText([/2 則.*−4 /]);

  await goTo('交易紀錄');
  await expect(page).toHaveURL(/\/transactions-record\/all$/);
  const rows: Locator = page.getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toContainText(['訊息 · Alice', '訊息 · Alice', '贈送', '儲值']);
  await page.getByRole('link', { name: '訊息', exact: true }).click();
  await expect(page).toHaveURL(/\/transactions-record\/message$/);
  await expect(rows).toHaveCount(2);
  await expect(rows).toContainText([/−2 .*4,046 /, /−2 .*4,048 /]);
  const month = page.getByRole('combobox', { name: '月份' });
  await month.selectOption({ index: 2 });
  await expect(page).toHaveURL(/\/message\?month=\d{4}-\d{2}$/);
  await expect(page.getByText('換個月份或類型看看。')).toBeVisible();
  await month.selectOption({ index: 1 });
  await expect(rows).toHaveCount(2);
  await page.getByRole('link', { name: '退還', exact: true }).click();
  await expect(page).toHaveURL(/\/refund\?month=\d{4}-\d{2}$/);
  await expect(page.getByText('沒有這類紀錄')).toBeVisible();
  await page.goto(new URL('/transactions-record/%3Cb%3E', page.url()).href);
  await expect(page.getByText('沒有這種交易類型')).toBeVisible();

  // S25: the response to a gift is lost, and the sheet is closed. The same gift from another sheet is the same request,
  // and costs once.
  await page.goto(new URL('/woman-info/alice', page.url()).href);
  const lose = async (route: Route): Promise<void> => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/gifts/send', lose, { times: 1 });
  const sheet = page.getByRole('dialog', { name: '送禮給Alice' });
  const give = async (): Promise<void> => {
    await page.getByRole('button', { name: '送禮' }).click();
    await sheet.getByRole('button', { name: /^送出/ }).click();
  };
  await give();
  await expect(sheet.getByRole('alert')).toContainText('連不上伺服器');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await give();
  await expect(sheet.getByRole('status')).not.toBeEmpty();
  await expect(sheet.getByText(/4,036/)).toBeVisible();
});

/** In the page: sends this number of messages to Alice, as the app's client does. */
async function write(count: number): Promise<void> {
  const { api_url } = (globalThis as unknown as { __CONFIG__: { api_url: string } }).__CONFIG__;
  const ask = async (path: string, body: object): Promise<{ channel_url: string }> => {
    const answer = await fetch(`${api_url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { channel_url: string };
  };
  const { channel_url } = await ask('/channels', { u_id: 'alice' });
  for (let at = 0; at < count; at += 1) {
    await ask(`/channels/${channel_url}/messages`, { client_id: `message-${at}`, type: 'text', text: `${at}` });
  }
}
