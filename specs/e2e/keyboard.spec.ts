/**
 * Tests the main tasks of the app with the keyboard only: the focus is never lost, and always visible.
 *
 * There are fourteen. In this file:
 *
 * 1. registration, 2. login, with language and theme: "a man registers…" 3. finding a user, the profile, a like, 4.
 * a deposit, 5. a gift, 6. a chat, 7. report and block: "a man finds a woman…"
 *
 * In keyboard-calls.spec.ts:
 *
 * 8. a call that is dialled, answered, muted, ended and rated: "a man dials from a profile…" 9. a small call window,
 * a second call, a summary: "a woman keeps a call…"
 *
 * In keyboard-own.spec.ts:
 *
 * 10. settings, for both kinds of users: "a … tests…" 11. profile and photos: "a woman sorts her photos…" 12.
 * points, redemption and its cancellation, income: "a woman sets a bank account…" 13. identity, 14. account: "a
 * woman verifies her identity…"
 */
import { expect, type Locator } from '@playwright/test';
import { test as base } from './support/calls-test.ts';
import { keysOf } from './support/keys.ts';
import { PASSWORD } from './support/registration.ts';
import { startStack } from './support/stack.ts';

const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  site: async ({}, use) => {
    const stack = await startStack({ billing: true });
    await use(stack);
    await stack.close();
  },
});
test.use({ locale: 'zh-TW' });

test('a man registers, changes language and theme, leaves and signs in again', async ({ page, site }) => {
  const keys = keysOf(page);
  await page.goto(site.appUrl);
  await keys.press(page.getByRole('link', { name: /男生註冊/ }));
  await expect(page.getByRole('heading', { level: 1, name: '建立男生帳號' })).toBeFocused();
  await keys.write(page.getByRole('textbox', { name: '手機或電子郵件' }), 'kai@example.com');
  await keys.press(page.getByRole('button', { name: '取得驗證碼' }));
  await expect(page.getByText(/秒後可重新寄送/)).toBeVisible();
  // The button is disabled for a while, and keeps the focus.
  await expect(page.getByRole('button', { name: '重新寄送' })).toBeFocused();
  await keys.press(page.getByRole('button', { name: '打開示範信箱' }));
  const mailbox = page.getByRole('dialog', { name: '示範信箱' });
  const code = (await mailbox.locator('code').first().textContent()) ?? '';
  await keys.hit('Escape');
  await keys.write(page.getByRole('textbox', { name: '驗證碼' }), code);
  await keys.write(page.getByLabel('密碼', { exact: true }), PASSWORD);
  await keys.press(page.getByRole('checkbox', { name: /我已滿 18 歲/ }), 'Space');
  await keys.press(page.getByRole('button', { name: '下一步' }));

  await keys.write(page.getByRole('textbox', { name: '暱稱' }), '阿凱本人');
  await keys.to(page.getByLabel('生日'));
  await writeDate(page.getByLabel('生日'), ['1996', '02', '23']);
  await keys.write(page.getByRole('combobox', { name: '城市' }), '台南');
  await keys.press(page.getByRole('button', { name: '下一步' }));
  await keys.press(page.getByRole('button', { name: '略過，之後再放' }));
  await expect(page.getByRole('heading', { level: 1, name: '歡迎，阿凱本人' })).toBeVisible();
  await keys.press(page.getByRole('link', { name: '前往首頁' }));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await keys.press(page.getByRole('button', { name: '我的' }));
  await keys.to(page.getByRole('radio', { name: '中文' }));
  await keys.hit('ArrowRight');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await keys.to(page.getByRole('radio', { name: 'System' }));
  await keys.hit('ArrowRight', 'ArrowRight');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await keys.press(page.getByRole('button', { name: 'Sign out' }));

  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await keys.press(page.getByRole('link', { name: 'Sign in', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeFocused();
  await keys.write(page.getByRole('textbox', { name: /^Phone/ }), 'kai@example.com');
  await keys.write(page.getByLabel('Password', { exact: true }).last(), 'not this one');
  await keys.press(page.getByRole('button', { name: 'Sign in', exact: true }));
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await keys.write(page.getByLabel('Password', { exact: true }).last(), PASSWORD);
  await keys.hit('Enter');
  await expect(page).toHaveURL(/\/home-man$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a man finds and likes a woman, buys coins, sends a gift, writes, reports her and blocks her', async ({
  signedIn,
}) => {
  const page = await signedIn('bob');
  const keys = keysOf(page);
  const alice = page.getByRole('heading', { level: 1, name: 'Alice' });
  await keys.press(page.getByRole('button', { name: /^Alice，/ }));
  await keys.press(page.getByRole('dialog', { name: 'Alice' }).getByRole('link', { name: '看完整檔案' }));
  await expect(alice).toBeFocused();

  const favorite = page.getByRole('button', { name: '收藏' });
  await keys.press(favorite, 'Space');
  await expect(favorite).toHaveAttribute('aria-pressed', 'true');
  await expect(favorite).toBeFocused();

  const sheet = page.getByRole('dialog', { name: '送禮給Alice' });
  await keys.press(page.getByRole('button', { name: '送禮' }));
  await keys.press(sheet.getByRole('link', { name: '前往儲值' }));
  await expect(page.getByRole('heading', { level: 1, name: '儲值' })).toBeFocused();
  const packs = page.getByRole('radio', { name: / 幣/ });
  await keys.to(page.getByRole('radio', { name: / 幣/, checked: true }));
  await keys.hit('ArrowDown');
  await expect(packs.and(page.getByRole('radio', { checked: true }))).toBeFocused();
  await keys.write(page.getByRole('textbox', { name: '卡號' }), '4242424242424242');
  await keys.press(page.getByRole('button', { name: /^付款 NT\$/ }));
  await keys.press(page.getByRole('button', { name: '確認付款' }));
  await expect(page.getByRole('heading', { name: '儲值完成' })).toBeFocused();
  await keys.press(page.getByRole('button', { name: '回到剛才的地方' }));
  await expect(alice).toBeFocused();

  await keys.press(page.getByRole('button', { name: '送禮' }));
  await keys.to(sheet.getByRole('radio', { checked: true }));
  await keys.hit('ArrowRight');
  await keys.press(sheet.getByRole('button', { name: /^送出（/ }));
  await expect(sheet.getByRole('status')).toContainText('已送出');
  await keys.hit('Escape');
  await expect(page.getByRole('button', { name: '送禮' })).toBeFocused();

  await keys.press(page.getByRole('button', { name: '傳訊息' }));
  const composer = page.getByRole('textbox', { name: /^傳訊息給/ });
  await keys.write(composer, '送你一份禮物');
  await keys.hit('Enter');
  await expect(page.getByRole('log')).toContainText('送你一份禮物');
  await expect(composer).toBeFocused();
  await page.goBack();
  await expect(alice).toBeFocused();

  const more = page.getByRole('button', { name: '更多' });
  await keys.to(more);
  await keys.hit('ArrowDown');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await keys.hit('End', 'ArrowUp');
  await expect(page.getByRole('menuitem', { name: '檢舉' })).toBeFocused();
  await keys.hit('Enter');
  const report = page.getByRole('dialog', { name: '檢舉 Alice' });
  await keys.to(report.getByRole('radio').first());
  await keys.hit('ArrowUp');
  await expect(report.getByRole('radio', { name: '其他' })).toBeChecked();
  await keys.press(report.getByRole('button', { name: '送出檢舉' }));
  await expect(report).toHaveCount(0);
  await expect(more).toBeFocused();
  await keys.hit('ArrowDown', 'End');
  await expect(page.getByRole('menuitem', { name: '封鎖' })).toBeFocused();
  await keys.hit('Enter');
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: '取消' })).toBeFocused();
  await keys.press(question.getByRole('button', { name: '封鎖' }));
  await expect(page).toHaveURL(/\/home-man$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

/** Fills the parts of the focused date field. The browser decides their order, whatever the language of the page. */
async function writeDate(field: Locator, [year, month, day]: readonly [string, string, string]): Promise<void> {
  const { keyboard } = field.page();
  for (const parts of [
    [month, day, year],
    [year, month, day],
    [day, month, year],
  ]) {
    for (const part of parts) {
      await keyboard.type(part);
      // A year field accepts more than four digits.
      if (part === year && part !== parts.at(-1)) await keyboard.press('ArrowRight');
    }
    if ((await field.inputValue()) === `${year}-${month}-${day}`) return;
    for (const _ of parts) await keyboard.press('ArrowLeft');
  }
  throw new Error('The date field takes its parts in no order that is known');
}
