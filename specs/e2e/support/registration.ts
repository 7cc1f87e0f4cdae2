/** Goes through the registration step by step, with the code of the demo mailbox. */
import { expect, type Page } from '@playwright/test';

export const PASSWORD = 'mangosteen at dawn';

/** Requests a code, opens the demo mailbox above the form, and pastes its code. */
export async function enterCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: '取得驗證碼' }).click();
  await expect(page.getByText(/秒後可重新寄送/)).toBeVisible();
  await page.getByRole('button', { name: '打開示範信箱' }).click();
  const mailbox = page.getByRole('dialog', { name: '示範信箱' });
  const code = (await mailbox.locator('code').first().textContent()) ?? '';
  await mailbox.getByRole('button', { name: '關閉' }).click();
  await page.getByRole('textbox', { name: '驗證碼' }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
}

export async function fillAccount(page: Page, contact: string): Promise<void> {
  await page.getByRole('textbox', { name: '手機或電子郵件' }).fill(contact);
  await enterCode(page);
  await page.getByLabel('密碼', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox', { name: /我已滿 18 歲/ }).check();
  await page.getByRole('button', { name: '下一步' }).click();
}

export async function fillBasics(page: Page, nickname: string): Promise<void> {
  await page.getByRole('textbox', { name: '暱稱' }).fill(nickname);
  await page.getByLabel('生日').fill('1996-02-03');
  await page.getByRole('combobox', { name: '城市' }).fill('台南');
}
