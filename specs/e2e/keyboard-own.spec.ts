/** Tests a user's settings, profile, money and verification with the keyboard only (see keyboard.spec.ts). */
import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { simulatedReviewer } from '../../sim/product/verification/reviewer.ts';
import { test as base } from './support/app-test.ts';
import { type Keys, keysOf } from './support/keys.ts';
import { startStack } from './support/stack.ts';

const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  site: async ({}, use) => {
    const stack = await startStack({ demoBots: true, ports: { reviewer: { ...simulatedReviewer, takesMs: 300 } } });
    await use(stack);
    await stack.close();
  },
});

const PICTURE = sharp({ create: { width: 800, height: 500, channels: 3, background: '#a86' } })
  .png()
  .toBuffer();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a man tests his devices, unblocks a woman, runs the diagnostics, copies the log, and cancels closing the account', async ({
  signedIn,
}) => {
  const page = await signedIn('bob', { permissions: ['camera', 'microphone', 'clipboard-write'] });
  const keys = keysOf(page);
  await page.evaluate(block, 'carol');
  await keys.press(page.getByRole('navigation').getByRole('button', { name: '我的' }));
  await keys.press(page.getByRole('dialog', { name: '我的' }).getByRole('link', { name: '設定' }));
  await expect(heading(page, '設定')).toBeFocused();

  const looksFirst = page.getByRole('switch', { name: '撥打前先檢查裝置' });
  await keys.press(looksFirst, 'Space');
  await expect(looksFirst).toBeChecked();
  const tryOut = page.getByRole('button', { name: /^(測試鏡頭|結束測試)/ });
  await keys.press(tryOut);
  const microphones = page.getByRole('combobox', { name: '麥克風' });
  await expect(microphones).toBeEnabled();
  const microphone = await microphones.inputValue();
  await keys.to(microphones);
  await keys.hit('ArrowDown');
  await expect(microphones).not.toHaveValue(microphone);
  await keys.stays(microphones);
  const tone = page.getByRole('button', { name: '測試喇叭' });
  await keys.press(tone);
  await keys.stays(tone);
  await keys.press(tryOut);
  await expect(microphones).toHaveCount(0);
  await keys.stays(tryOut);

  const check = page.getByRole('button', { name: /^(開始檢查|再檢查一次)$/ });
  await keys.press(page.getByRole('button', { name: /^解除封鎖 / }));
  await expect(page.getByText('沒有封鎖任何人')).toBeVisible();
  // The removed item had the focus, so the next item gets it.
  await keys.stays(page.getByRole('main').locator('a[href="/account-verification"]'));
  await keys.press(check);
  await expect(check).toHaveText('再檢查一次');
  await keys.stays(check);
  const copy = page.getByRole('button', { name: '複製紀錄' });
  await keys.press(copy);
  await expect(page.getByRole('status').filter({ hasText: '已複製紀錄' })).toHaveCount(1);
  await keys.stays(copy);
  const [log] = await Promise.all([
    page.waitForEvent('download'),
    keys.press(page.getByRole('button', { name: '下載紀錄' })),
  ]);
  expect(log.suggestedFilename()).toBe('ringback-log.txt');

  const close = page.getByRole('button', { name: '關閉帳號' });
  const sheet = page.getByRole('dialog', { name: '關閉帳號' });
  await keys.press(close);
  await expect(sheet).toBeFocused();
  await keys.write(sheet.getByLabel('密碼', { exact: true }), 'not this one');
  await keys.press(sheet.getByRole('button', { name: '關閉帳號' }));
  await expect(sheet.getByRole('alert')).not.toBeEmpty();
  await keys.press(sheet.getByRole('button', { name: '取消' }));
  await expect(sheet).toHaveCount(0);
  await keys.stays(close);
});

test('a woman sorts her photos, and edits her introduction', async ({ signedIn }) => {
  const page = await signedIn('alice');
  const keys = keysOf(page);
  await keys.press(page.getByRole('link', { name: '編輯檔案' }));
  await expect(heading(page, '編輯檔案')).toBeFocused();

  const photos = page.getByRole('region', { name: '照片' }).getByRole('listitem');
  for (const count of [1, 2]) {
    await chooseFile(page, keys, /新增照片/);
    await keys.to(page.getByRole('slider', { name: '放大' }));
    await keys.hit('ArrowRight');
    await keys.press(page.getByRole('button', { name: '使用這張照片' }));
    await expect(photos).toHaveCount(count);
  }
  const later = page.getByRole('button', { name: '把第 1 張往後移' });
  const moved = await photos.first().locator('img').getAttribute('src');
  await keys.press(later);
  await expect(photos.last().locator('img')).toHaveAttribute('src', moved ?? '');
  await keys.stays(page.getByRole('button', { name: '把第 2 張往後移' }));
  await keys.press(page.getByRole('button', { name: '移除第 1 張' }));
  await expect(photos).toHaveCount(1);
  await keys.stays(page.getByRole('button', { name: '把第 1 張往前移' }));

  await keys.write(page.getByRole('textbox', { name: '職業' }), '插畫家');
  await keys.press(page.getByRole('button', { name: '增加' }));
  await keys.press(page.getByRole('group', { name: '會說的語言' }).getByRole('button').nth(3), 'Space');
  const save = page.getByRole('button', { name: '儲存' });
  await keys.press(save);
  await expect(page.getByText('已儲存')).toBeVisible();
  await keys.stays(save);

  await keys.write(page.getByRole('textbox', { name: '自我介紹' }), '週末都在山上');
  const discard = page.getByRole('button', { name: '放棄變更' });
  await keys.press(discard);
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: '取消' })).toBeFocused();
  await keys.press(question.getByRole('button', { name: '放棄變更' }));
  await expect(question).toHaveCount(0);
  await keys.stays(discard);
});

test('a woman sets a bank account, redeems points with a code, cancels the redemption, and reads her income', async ({
  signedIn,
}) => {
  const page = await signedIn('alice');
  const keys = keysOf(page);
  await keys.press(page.getByRole('link', { name: '收益', exact: true }));
  await expect(heading(page, '我的點數')).toBeFocused();

  const account = page.getByRole('dialog', { name: '收款帳戶' });
  await keys.press(page.getByRole('button', { name: /^收款帳戶/ }));
  await keys.to(account.getByRole('combobox', { name: '銀行' }));
  await keys.hit('ArrowDown');
  await keys.write(account.getByRole('textbox', { name: '帳號' }), '0123456789012');
  await keys.write(account.getByRole('textbox', { name: '戶名' }), '王小美');
  await enterCode(page, keys, account);
  await keys.press(account.getByRole('button', { name: '儲存帳戶' }));
  await expect(account).toHaveCount(0);

  const redeem = page.getByRole('button', { name: '申請兌換' });
  const sheet = page.getByRole('dialog', { name: '申請兌換' });
  await keys.press(redeem);
  await enterCode(page, keys, sheet);
  await keys.press(sheet.getByRole('button', { name: /^確認兌換/ }));
  await expect(page.getByRole('alertdialog', { name: '已送出兌換申請' }).getByRole('button')).toBeFocused();
  await keys.hit('Enter');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await keys.stays(redeem);

  await keys.press(page.getByRole('link', { name: /^兌換紀錄/ }));
  await expect(heading(page, '兌換紀錄')).toBeFocused();
  const cancel = page.getByRole('main').getByRole('button', { name: '取消兌換' });
  await keys.press(cancel);
  await expect(page.getByRole('alertdialog').getByRole('button', { name: '先不要' })).toBeFocused();
  await keys.hit('Enter');
  await keys.stays(cancel);
  await keys.hit('Enter');
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: '取消兌換' }));
  await expect(page.getByText('已取消')).toBeVisible();
  await expect(cancel).toHaveCount(0);
  await keys.press(page.getByRole('link', { name: '返回' }));

  await keys.press(page.getByRole('link', { name: /^收益明細/ }));
  await expect(heading(page, '收益明細')).toBeFocused();
  await keys.to(page.getByRole('radio', { name: '7 日' }));
  await keys.hit('ArrowRight', 'ArrowRight');
  await expect(page.getByRole('radio', { name: '自訂' })).toBeFocused();
  const first = page.getByLabel('開始日');
  const today = await first.inputValue();
  await keys.to(first);
  await keys.hit('ArrowDown');
  await expect(first).not.toHaveValue(today);
  await keys.stays(first);
  await expect(page.getByRole('main')).toContainText(/期間收入[1-9]\d* 點/);
});

test('a woman verifies her identity, and adds a phone number with a code', async ({ signedIn }) => {
  const page = await signedIn('alice');
  const keys = keysOf(page);
  await keys.press(page.getByRole('navigation').getByRole('button', { name: '我的' }));
  await keys.press(page.getByRole('dialog', { name: '我的' }).getByRole('link', { name: '身分驗證' }));
  await expect(heading(page, '身分驗證')).toBeFocused();
  await keys.to(page.getByRole('radio', { name: /國民身分證/ }));
  await keys.hit('ArrowDown');
  await expect(page.getByRole('radio', { name: /護照/ })).toBeChecked();
  await keys.press(page.getByRole('checkbox', { name: /我同意/ }), 'Space');
  await keys.press(page.getByRole('button', { name: '開始' }));
  for (const step of ['證件正面', '自拍']) {
    await expect(page.getByRole('heading', { level: 2, name: step })).toBeFocused();
    await chooseFile(page, keys, '從檔案選');
    await keys.press(page.getByRole('button', { name: '使用這張' }));
  }
  await expect(page.getByRole('heading', { level: 2, name: '送出' })).toBeFocused();
  await keys.press(page.getByRole('button', { name: '送出審查' }));
  await expect(page.getByRole('heading', { name: /審查中|已通過認證/ })).toBeFocused();
  await expect(page.getByRole('heading', { name: '已通過認證' })).toBeFocused();

  await keys.press(page.getByRole('navigation').getByRole('button', { name: '我的' }));
  await keys.press(page.getByRole('dialog', { name: '我的' }).getByRole('link', { name: '帳號驗證' }));
  await expect(heading(page, '帳號驗證')).toBeFocused();
  await keys.press(page.getByRole('button', { name: '新增' }));
  const phone = page.getByRole('textbox', { name: '新的手機號碼' });
  await keys.stays(phone);
  await keys.write(phone, '0912-345-678');
  await enterCode(page, keys, page.getByRole('main'));
  await enterCode(page, keys, page.getByRole('group', { name: '確認是你本人' }));
  await keys.press(page.getByRole('button', { name: '確認', exact: true }));
  await expect(page.getByRole('main')).toContainText('+8869*****678');
  await keys.stays(page.getByRole('button', { name: '變更' }).last());
});

/** Requests a code in this part of the page, reads it in the demo mailbox, and types it. */
async function enterCode(page: Page, keys: Keys, part: Locator): Promise<void> {
  await keys.press(part.getByRole('button', { name: '取得驗證碼' }).first());
  await keys.stays(part.getByRole('button', { name: '重新寄送' }).first());
  const open = part.getByRole('button', { name: '打開示範信箱' }).first();
  await keys.press(open);
  const mailbox = page.getByRole('dialog', { name: '示範信箱' });
  const code = (await mailbox.locator('code').first().textContent()) ?? '';
  await keys.hit('Escape');
  await expect(mailbox).toHaveCount(0);
  await keys.stays(open);
  await keys.write(part.getByRole('textbox', { name: '驗證碼' }).first(), code);
}

/** Opens the browser's file chooser by a key, and chooses a picture. */
async function chooseFile(page: Page, keys: Keys, label: string | RegExp): Promise<void> {
  // The listener is added before the key press, because the browser must hand file choosers to the test first.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    keys.to(page.getByLabel(label)).then(() => page.keyboard.press('Enter')),
  ]);
  await chooser.setFiles({ name: 'picture.png', mimeType: 'image/png', buffer: await PICTURE });
}

/** In the page: blocks a user, as the app's client does. */
async function block(uId: string): Promise<void> {
  const { api_url } = (globalThis as unknown as { __CONFIG__: { api_url: string } }).__CONFIG__;
  await fetch(`${api_url}/blocks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ u_id: uId }),
  });
}
