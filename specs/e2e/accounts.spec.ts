/**
 * Tests accounts, from the first code to the verified identity, in the app with a real server. The demo mailbox has
 * the codes.
 */
import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { simulatedReviewer } from '../../sim/product/verification/reviewer.ts';
import { appConfigFor, startAppServer } from '../../sim/server/start-app-server.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { enterCode, fillAccount, fillBasics, PASSWORD } from './support/registration.ts';
import { APP } from './support/stack.ts';
import { test as base } from './support/worker-test.ts';

const test = base.extend<{ app: string }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  app: async ({}, use) => {
    const sim = await startSim({ demo: true, port: 0, ports: { reviewer: { ...simulatedReviewer, takesMs: 300 } } });
    const app = await startAppServer({ dir: APP, port: 0, config: appConfigFor(sim.url) });
    await use(app.url);
    await app.close();
    await sim.close();
  },
});
test.use({ locale: 'zh-TW' });

const PICTURE = sharp({ create: { width: 800, height: 500, channels: 3, background: '#a86' } })
  .png()
  .toBuffer();

/**
 * Goes from the landing page to the login page. A visitor who opens any other address is redirected to the landing
 * page.
 */
async function toLogin(page: Page, app: string): Promise<void> {
  await page.goto(app);
  await page.getByRole('link', { name: '登入', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: '登入' })).toBeVisible();
}

test('SCR-05, SCR-07: a man registers at /register-man with a code from the mailbox, and signs in again at /login; another password signs out his other device', async ({
  browser,
  page,
  app,
}) => {
  await toLogin(page, app);
  await page.getByRole('link', { name: '男生註冊' }).click();
  await expect(page).toHaveURL(/\/register-man$/);
  await expect(page.getByRole('heading', { level: 1, name: '建立男生帳號' })).toBeVisible();
  // An empty form shows its errors and focuses the first one.
  await page.getByRole('button', { name: '下一步' }).click();
  await expect(page.getByRole('textbox', { name: '手機或電子郵件' })).toBeFocused();
  await fillAccount(page, 'kai@example.com');
  await fillBasics(page, '阿凱本人');
  await page.getByLabel('生日').fill('2015-01-01');
  await page.getByRole('button', { name: '下一步' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '等你 18 歲' })).toBeVisible();
  await page.getByRole('button', { name: '生日填錯了' }).click();
  await fillBasics(page, '阿凱本人');
  await page.getByRole('button', { name: '下一步' }).click();
  // A photo is optional. A chosen photo is cropped and sent with the form.
  await expect(page.getByRole('button', { name: '略過，之後再放' })).toBeVisible();
  const photo = { name: 'me.png', mimeType: 'image/png', buffer: await PICTURE };
  await page.getByLabel('選擇照片').setInputFiles({ ...photo, name: 'me.txt', mimeType: 'text/plain' });
  await expect(page.getByText('只接受 JPEG、PNG、WebP 圖片。')).toBeVisible();
  await page.getByLabel('選擇照片').setInputFiles(photo);
  await expect(page.getByRole('img', { name: '裁切後的照片' })).toBeVisible();
  await page.getByRole('slider', { name: '左右位置' }).press('Home');
  await page.getByRole('button', { name: '完成註冊' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '歡迎，阿凱本人' })).toBeVisible();
  await expect(page.getByText('100')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(PASSWORD);
  await page.getByRole('link', { name: '前往首頁' }).click();
  await expect(page).toHaveURL(/\/home-man$/);

  await page.getByRole('button', { name: '我的' }).click();
  await page.getByRole('link', { name: '個人資料' }).click();
  await page.getByRole('button', { name: '編輯檔案' }).click();
  await expect(page.getByText('審核中')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: '關閉' }).click();
  await page.getByRole('button', { name: '我的' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '登出' }).click();
  await toLogin(page, app);
  await page.getByRole('textbox', { name: '手機、電子郵件或用戶編號' }).fill('kai@example.com');
  await page.getByLabel('密碼', { exact: true }).last().fill('not this one');
  await page.getByRole('button', { name: '登入', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: '帳號或密碼不正確' })).toBeVisible();
  await page.getByLabel('密碼', { exact: true }).last().fill(PASSWORD);
  await page.getByRole('button', { name: '登入', exact: true }).click();
  await expect(page).toHaveURL(/\/home-man$/);

  const elsewhere = await browser.newPage({ locale: 'zh-TW' });
  await toLogin(elsewhere, app);
  await elsewhere.getByRole('textbox', { name: '手機、電子郵件或用戶編號' }).fill('kai@example.com');
  await elsewhere.getByLabel('密碼', { exact: true }).last().fill(PASSWORD);
  await elsewhere.getByRole('button', { name: '登入', exact: true }).click();
  await expect(elsewhere).toHaveURL(/\/home-man$/);
  await page.getByRole('button', { name: '我的' }).click();
  await page.getByRole('link', { name: '設定' }).click();
  const security = page.getByRole('region', { name: '帳號安全' });
  await expect(security.getByRole('button', { name: /^登出「Linux 上的 Chrome」/ })).toHaveCount(1);
  await security.getByRole('button', { name: /^變更密碼/ }).click();
  const sheet = page.getByRole('dialog', { name: '變更密碼' });
  await sheet.getByLabel('新密碼', { exact: true }).fill(`${PASSWORD} from now on`);
  const current = sheet.getByLabel('目前的密碼', { exact: true });
  await current.fill('not this one');
  await current.press('Enter');
  await expect(current).toHaveAccessibleDescription(/密碼不正確/);
  await expect(current).toBeFocused();
  await current.fill(PASSWORD);
  await current.press('Enter');
  await expect(sheet).toHaveCount(0);
  await expect(security).toContainText('你沒有在其他裝置登入。');
  // This user has no records yet.
  await expect(elsewhere.getByText('登入已失效，請重新登入。')).toBeVisible();
  await expect(elsewhere).not.toHaveURL(/\/home-man$/);
  await elsewhere.close();
});

test('SCR-06, SCR-20, SCR-22: a woman registers at /register-woman, verifies herself at /identity-verification and adds an e-mail at /account-verification', async ({
  page,
  app,
}) => {
  await toLogin(page, app);
  await page.getByRole('link', { name: '女生註冊' }).click();
  await expect(page).toHaveURL(/\/register-woman$/);
  await expect(page.getByRole('heading', { level: 1, name: '建立女生帳號' })).toBeVisible();
  await fillAccount(page, '0912-345-678');
  await fillBasics(page, '小雨本人');
  await page.getByRole('button', { name: '下一步' }).click();
  await page.getByRole('button', { name: '略過，之後再放' }).click();
  await page.getByRole('switch', { name: '視訊通話' }).uncheck();
  // Going back and forward keeps the input.
  await page.getByRole('button', { name: '上一步' }).click();
  await page.getByRole('button', { name: '上一步' }).click();
  await expect(page.getByRole('textbox', { name: '暱稱' })).toHaveValue('小雨本人');
  await page.getByRole('button', { name: '下一步' }).click();
  await page.getByRole('button', { name: '略過，之後再放' }).click();
  await expect(page.getByRole('switch', { name: '視訊通話' })).not.toBeChecked();
  await page.getByRole('button', { name: '完成註冊' }).click();
  await page.getByRole('link', { name: '開始身分驗證' }).click();

  await expect(page).toHaveURL(/\/identity-verification$/);
  await expect(page.getByRole('heading', { level: 1, name: '身分驗證' })).toBeVisible();
  await page.getByRole('radio', { name: /護照/ }).check();
  await page.getByRole('checkbox', { name: /我同意/ }).check();
  await page.getByRole('button', { name: '開始' }).click();
  for (const step of ['證件正面', '自拍']) {
    await expect(page.getByRole('heading', { level: 2, name: step })).toBeVisible();
    await page
      .getByLabel('從檔案選')
      .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: await PICTURE });
    await page.getByRole('button', { name: '使用這張' }).click();
  }
  await page.getByRole('button', { name: '送出審查' }).click();
  await expect(page.getByRole('heading', { name: '已通過認證' })).toBeVisible();

  await page.goto(`${app}/account-verification`);
  await expect(page.getByRole('heading', { level: 1, name: '帳號驗證' })).toBeVisible();
  await expect(page.getByText('+8869*****678')).toBeVisible();
  await page.getByRole('button', { name: '新增' }).click();
  await page.getByRole('textbox', { name: '新的電子郵件' }).fill('rain@example.com');
  await enterCode(page);
  // A session is not enough for a change: the user must enter the password.
  const proof = page.getByRole('group', { name: '確認是你本人' });
  await proof.getByLabel('密碼', { exact: true }).fill('not her password');
  await page.getByRole('button', { name: '確認', exact: true }).click();
  await expect(proof.getByText('密碼不正確。')).toBeVisible();
  await proof.getByLabel('密碼', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '確認', exact: true }).click();
  await expect(page.getByText('r***@example.com')).toBeVisible();
  await expect(page.getByText(/剛設定不久，.* 起才能用來確認兌換與變更/)).toBeVisible();
});
