/** Tests how users find, view, report and block each other, with the real server. */
import { expect } from '@playwright/test';
import { test } from './support/calls-test.ts';

test('SCR-08 SCR-11 SCR-12 SCR-09 SCR-10 SCR-17 SCR-26: each kind of user has separate screens, and cannot open those of the other kind', async ({
  person,
}) => {
  const bob = await person('bob');
  const { page } = bob;
  const at = (path: string) => page.evaluate((to) => void (location.href = to), path);
  await expect(page).toHaveURL(/\/home-man/);
  await expect(page.getByRole('button', { name: /^Alice，/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Dave，/ })).toHaveCount(0);

  await page.getByRole('button', { name: /^Alice，/ }).click();
  await page.getByRole('link', { name: '看完整檔案' }).click();
  await expect(page).toHaveURL(/\/woman-info\/alice$/);
  await expect(page.getByRole('heading', { name: 'Alice', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: '視訊通話' })).toBeVisible();

  await at('/woman-info/%3Cscript%3E');
  await expect(page.getByRole('heading', { name: '找不到這個人' })).toBeVisible();
  await at('/man-info');
  await expect(page.getByRole('heading', { name: 'Bob' })).toBeVisible();
  await at('/woman-edit');
  await expect(page.getByRole('heading', { name: '這一頁是給女生用的' })).toBeVisible();

  const alice = await person('alice');
  await expect(alice.page.getByRole('switch', { name: '接聽中' })).toBeChecked();
  await expect(alice.page).toHaveURL(/\/home-woman$/);
  const headings = () => alice.page.getByRole('main').getByRole('heading').allInnerTexts();
  // The to-do list is shown last, after the profile and the points have loaded.
  const isWhole = async () => {
    await expect(alice.page.getByRole('heading', { name: '接聽設定' })).toBeVisible();
    await expect(alice.page.getByRole('heading', { name: '還差幾步' })).toBeVisible();
  };
  await isWhole();
  const atHome = await headings();
  await alice.page.evaluate(() => void (location.href = '/woman-setting'));
  await expect(alice.page).toHaveURL(/\/woman-setting$/);
  await isWhole();
  await expect.poll(headings).toEqual(atHome);
  await alice.page.evaluate(() => void (location.href = '/woman-edit'));
  await alice.page.getByLabel('自我介紹').fill('<img src=x onerror=alert(1)>');
  await alice.page.getByRole('button', { name: '儲存' }).click();
  await expect(alice.page.getByText('已儲存')).toBeVisible();

  await at('/woman-info/alice');
  await expect(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('menuitem', { name: '封鎖' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '封鎖' }).click();
  await expect(page).toHaveURL(/\/home-man/);
  await expect(page.getByRole('button', { name: /^Alice，/ })).toHaveCount(0);

  // Other tests use the same server: in them the two meet again.
  await at('/settings');
  await page.getByRole('button', { name: '解除封鎖 Alice' }).click();
  await expect(page.getByText('沒有封鎖任何人')).toBeVisible();
});
