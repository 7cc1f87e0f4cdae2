/**
 * Tests every state of every screen and of the call overlays in a browser, without a server: the fakes of the
 * gallery replace the exchange. Tests that need a real exchange are in the other files.
 */
import { type Page, expect } from '@playwright/test';
import { test } from './support/gallery-test.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

test('OVL-01, OVL-02: the card of a caller without a picture or a nickname shows the placeholder and the user id', async ({
  page,
  show,
}) => {
  await show('incoming-voice');
  const card = page.getByRole('alertdialog', { name: 'user-20391' });
  await expect(card.locator('[data-placeholder]')).toBeVisible();
  await expect(card.getByText('語音通話來電')).toBeVisible();
});

test('OVL-01, OVL-02: the card of a caller with both shows both', async ({ page, show }) => {
  await show('incoming-video');
  const card = page.getByRole('alertdialog', { name: '予安' });
  await expect(card.locator('img')).toHaveAttribute('src', /portraits\/yu-an\.svg$/);
});

test('OVL-03: 接聽 moves to the active call and the card disappears', async ({ page, show }) => {
  await show('incoming-video');
  await page.getByRole('button', { name: '接聽' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: '與予安的視訊通話' })).toBeVisible();
});

test('OVL-04: 拒絕 hides the card', async ({ page, show }) => {
  await show('incoming-video');
  await page.getByRole('button', { name: '拒絕' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the incoming card takes the focus, accepts the call on Alt+A, and does not decline it on Escape', async ({
  page,
  show,
}) => {
  await show('incoming-video');
  await expect(page.getByRole('button', { name: '接聽' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Alt+KeyA');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('OVL-05: a video call shows the remote and the local video playing', async ({ page, show }) => {
  await show('call-video');
  const videos = page.getByRole('dialog').locator('video');
  await expect(videos).toHaveCount(2);
  for (const index of [0, 1]) {
    await expect
      .poll(() => videos.nth(index).evaluate((video: HTMLVideoElement) => video.videoWidth))
      .toBeGreaterThan(0);
  }
});

test('OVL-05, OVL-06: a voice call shows avatar and nickname, and has no camera, switch and fullscreen', async ({
  page,
  show,
}) => {
  await show('call-voice');
  const call = page.getByRole('dialog', { name: '與予安的語音通話' });
  await expect(call.locator('img').last()).toBeVisible();
  await expect(call.getByText('予安', { exact: true })).toBeVisible();
  await expect(call.getByRole('toolbar').getByRole('button')).toHaveCount(2);
  await expect(call.getByRole('button', { name: '麥克風' })).toBeVisible();
  await expect(call.getByRole('button', { name: '結束通話' })).toBeVisible();
});

test('OVL-06, OVL-07: microphone and camera start on and toggle, by button and by key', async ({ page, show }) => {
  await show('call-outgoing-video');
  const microphone = page.getByRole('button', { name: '麥克風' });
  const camera = page.getByRole('button', { name: '鏡頭', exact: true });
  await expect(microphone).toHaveAttribute('aria-pressed', 'true');
  await expect(camera).toHaveAttribute('aria-pressed', 'true');
  await microphone.click();
  await page.keyboard.press('v');
  await expect(microphone).toHaveAttribute('aria-pressed', 'false');
  await expect(camera).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('m');
  await expect(microphone).toHaveAttribute('aria-pressed', 'true');
});

test('OVL-09: fullscreen toggles', async ({ page, show }) => {
  await show('call-outgoing-video');
  const isFullscreen = (): Promise<boolean> => page.evaluate(() => document.fullscreenElement !== null);
  await page.getByRole('button', { name: '全螢幕' }).click();
  await expect.poll(isFullscreen).toBe(true);
  await page.getByRole('button', { name: '結束全螢幕' }).click();
  await expect.poll(isFullscreen).toBe(false);
});

test('the device check is shown before the first call, and not before the next one', async ({ page, show }) => {
  await show('before-call');
  const check = page.getByRole('dialog', { name: '通話前檢查' });
  await expect(check.getByText('接通後每分鐘 40 幣，餘額可通話約 32 分鐘')).toBeVisible();
  await expect
    .poll(() => check.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(0);
  await check.getByLabel('麥克風').selectOption('藍牙耳機');
  await expect(check.getByLabel('麥克風')).toHaveValue('audioinput-1');
  await expect(check.getByRole('checkbox', { name: /下次直接撥打/ })).toBeChecked();
  await check.getByRole('button', { name: '撥打' }).press('Enter');
  const call = page.getByRole('dialog', { name: '與予安的視訊通話' });
  await expect(call.getByText('接通後每分鐘 40 幣')).toBeVisible();
  // The controls may be hidden above a moving picture. A pointer move shows them.
  await page.mouse.move(200, 200);
  await call.getByRole('button', { name: '結束通話' }).click();
  await page.getByRole('button', { name: /^沛涵/ }).click();
  await page.getByRole('button', { name: '語音通話' }).click();
  await expect(page.getByRole('dialog', { name: '與沛涵的語音通話' })).toBeVisible();
});

test('the app explains how to allow denied devices, and a call without enough coins leads to the deposit page', async ({
  page,
  show,
}) => {
  await show('before-call-denied');
  const help = page.getByRole('alert').filter({ hasText: '允許使用麥克風和鏡頭' });
  await expect(help.getByRole('listitem')).toHaveCount(3);
  await expect(help.getByRole('button', { name: '再試一次' })).toBeVisible();
  await show('before-call-short');
  const short = page.getByRole('dialog', { name: '金幣不足' });
  await expect(short).toContainText('接通後每分鐘 40 幣，你還有 12 幣。');
  await short.getByRole('link', { name: '儲值' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '儲值' })).toBeVisible();
});

test('a participant rates a call, and can report the other user during and after the call', async ({ page, show }) => {
  await show('call-ended');
  const stars = page.getByRole('group', { name: '這通電話感覺如何？' });
  await stars.getByRole('radio', { name: '4 顆星' }).press('Space');
  await expect(stars.getByRole('status')).toHaveText('謝謝你的評分。');
  await page.getByRole('button', { name: '檢舉' }).press('Enter');
  const report = page.getByRole('dialog', { name: '檢舉 予安' });
  await expect(report).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);

  await show('call-voice');
  await page.getByRole('button', { name: '更多選項' }).click();
  await page.getByRole('dialog', { name: '更多選項' }).getByRole('button', { name: '檢舉' }).click();
  await expect(report).toBeVisible();
  await expect(page.getByRole('region', { name: '與予安的語音通話' })).toBeVisible();
});

test('the settings test devices, check the requirements of calls, and close the account only with its password', async ({
  page,
  show,
}) => {
  await show('settings-install');
  await page.getByRole('button', { name: '測試鏡頭、麥克風和喇叭' }).click();
  await expect(page.getByLabel('你的畫面')).toBeVisible();
  await page.getByRole('button', { name: '測試喇叭' }).click();
  await page.getByRole('button', { name: '結束測試' }).click();
  await expect(page.getByLabel('你的畫面')).toHaveCount(0);

  await page.getByRole('button', { name: '開始檢查' }).click();
  const found = page.getByRole('region', { name: '診斷' }).getByRole('listitem');
  await expect(found).toHaveCount(7);
  await expect(found.filter({ hasText: '瀏覽器通話功能' })).toContainText('正常');
  await expect(found.filter({ hasText: '通話服務' })).toContainText('正常');
  // The gallery has no sockets.
  await expect(found.filter({ hasText: '即時訊息' })).toContainText('不通');

  await page.getByRole('button', { name: '關閉帳號' }).click();
  const sheet = page.getByRole('dialog', { name: '關閉帳號' });
  await sheet.getByLabel('密碼', { exact: true }).fill('not this one');
  await sheet.getByRole('button', { name: '關閉帳號' }).press('Enter');
  await expect(sheet.getByRole('alert')).toHaveText('密碼不正確。');
});

test('OVL-11: the end button hides the call and returns the focus to the screen', async ({ page, show }) => {
  await show('home');
  const card = page.getByRole('button', { name: /^沛涵/ });
  await card.click();
  await page.getByRole('button', { name: '語音通話' }).click();
  await expect(page.getByRole('dialog', { name: '與沛涵的語音通話' })).toBeVisible();
  await page.getByRole('button', { name: '結束通話' }).click();
  await expect(page.getByRole('dialog', { name: '與沛涵的語音通話' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: '語音通話' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(card).toBeFocused();
});

test('OVL-12: an incoming call is shown above an open sheet, and the user can answer it there', async ({
  page,
  show,
}) => {
  await show('incoming-in-call');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('button', { name: '結束並接聽' }).click();
  await expect(page.getByRole('dialog', { name: '與user-20391的視訊通話' })).toBeVisible();
});

test('the app reports a camera that cannot be opened with a remedy, and the user cannot turn it on', async ({
  page,
  show,
}) => {
  await show('call-no-camera', { locale: 'en' });
  const said = page.getByRole('dialog').getByText('No camera was found, so they cannot see you.');
  await expect(said).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'No camera was found' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Camera', exact: true })).toBeDisabled();
});

test('Escape closes a sheet above a call without ending the call, and returns the focus', async ({ page, show }) => {
  await show('call-more-voice');
  const more = page.getByRole('dialog', { name: '更多選項' });
  await expect(more).toBeFocused();
  // Keys pressed in the sheet do not reach the call.
  await page.keyboard.press('m');
  await page.keyboard.press('Escape');
  await expect(more).toHaveCount(0);
  await expect(page.getByRole('button', { name: '更多選項' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('button', { name: '麥克風' })).toHaveAttribute('aria-pressed', 'true');
});

test('Escape closes a sheet also after a call that was dialled from the missed call notice', async ({ page, show }) => {
  await show('missed-below-sheet');
  const sheet = page.getByRole('dialog', { name: '我的' });
  await expect(sheet).toBeVisible();
  await page.getByRole('button', { name: '回撥' }).click();
  const call = page.getByRole('dialog', { name: '與予安的視訊通話' });
  await expect(call).toBeVisible();
  await call.getByRole('button', { name: '結束通話' }).click();
  await expect(call).toHaveCount(0);
  // After a missed call the app offers notifications, above the sheet.
  const offer = page.getByRole('dialog', { name: '有人找你時，讓你知道' });
  await expect(offer).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(offer).toHaveCount(0);
  await expect(sheet).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
});

test('a muted user is heard while the user holds the space bar', async ({ page, show }) => {
  await show('call-voice');
  const microphone = page.getByRole('button', { name: '麥克風' });
  await microphone.click();
  await expect(microphone).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.down('Space');
  await expect(microphone).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.up('Space');
  await expect(microphone).toHaveAttribute('aria-pressed', 'false');
});

test('for a second call the user can hold the first call, end it or decline the second call, and Alt+A holds the first', async ({
  page,
  show,
}) => {
  await show('incoming-in-call');
  const card = page.getByRole('alertdialog');
  await expect(card.getByRole('button', { name: '拒絕' })).toBeVisible();
  await expect(card.getByRole('button', { name: '結束並接聽' })).toBeVisible();
  await page.keyboard.press('Alt+KeyA');
  await expect(page.getByRole('dialog', { name: '與user-20391的視訊通話' })).toBeVisible();
  await page.getByRole('button', { name: '切換到與予安的通話' }).click();
  await expect(page.getByRole('dialog', { name: '與予安的語音通話' })).toBeVisible();
});

test('the notice of the last paid minute stays on the screen, with a link to the deposit page', async ({
  page,
  show,
}) => {
  await show('call-billed-last');
  const call = page.getByRole('dialog');
  await expect(call.getByText(/^餘額只夠這一分鐘，\d+ 秒後通話會結束。$/)).toBeVisible();
  await call.getByRole('button', { name: '儲值' }).click();
  await expect(page.getByRole('region', { name: '與予安的語音通話' })).toBeVisible();
});

test.describe('tests that change the page itself', () => {
  test.use({ ownPage: true });

  test('the call controls are hidden above a moving picture after a while, and a touch shows them', async ({
    page,
    show,
  }) => {
    await page.clock.install();
    await show('call-video');
    await page.clock.runFor(500);
    const stage = page.getByRole('dialog');
    await expect(stage).toHaveAttribute('data-controls', 'shown');
    await page.clock.runFor(3_100);
    await expect(stage).toHaveAttribute('data-controls', 'hidden');
    await page.mouse.move(200, 200);
    await expect(stage).toHaveAttribute('data-controls', 'shown');
  });

  test('OVL-12: in a small call window the user can use the screen below, move the window by drag and by button, and must confirm leaving the page', async ({
    page,
    show,
  }) => {
    await show('call-voice');
    const whole = page.getByRole('dialog', { name: '與予安的語音通話' });
    const small = page.getByRole('region', { name: '與予安的語音通話' });
    await page.getByRole('button', { name: '縮小通話' }).click();
    await expect(whole).toHaveCount(0);
    await expect(small.getByRole('button', { name: '展開通話' })).toBeFocused();
    await page.getByRole('button', { name: /^沛涵/ }).click();
    await expect(page.getByRole('dialog', { name: '沛涵' })).toBeVisible();
    await page.keyboard.press('Escape');

    await expect(small).toHaveAttribute('data-corner', 'bottom-end');
    await small.getByRole('button', { name: '移到下一個角落' }).click();
    await expect(small).toHaveAttribute('data-corner', 'bottom-start');
    const box = await small.boundingBox();
    if (box === null) throw new Error('The call is not to be seen');
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(600, 400, { steps: 4 });
    await page.mouse.move(1100, 60, { steps: 4 });
    await page.mouse.up();
    await expect(small).toHaveAttribute('data-corner', 'top-end');

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();

    await small.getByRole('button', { name: '展開通話' }).click();
    await expect(whole).toBeVisible();
    await page.getByRole('button', { name: '結束通話' }).click();
    await expect(whole).toHaveCount(0);
  });

  test('the app offers to turn on a ringtone that the browser has blocked', async ({ page, show }) => {
    // A look into the page by the test counts as a touch. For the page there was none.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } }),
    );
    await show('incoming-video');
    await page.getByRole('button', { name: '開啟鈴聲' }).click({ timeout: scaled(15_000) });
    await expect(page.getByRole('button', { name: '開啟鈴聲' })).toHaveCount(0);
    await expect(page.getByRole('alertdialog')).toBeVisible();
  });

  test('OVL-01: a call rings also in a browser that does not report its autoplay policy', async ({ page, show }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'userActivation', { value: undefined }));
    await show('incoming-video');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expect(page.getByRole('button', { name: '開啟鈴聲' })).toHaveCount(0);
  });
});

test.describe(() => {
  // Contrast is measured on pixels.
  test.use({ ownPage: true, blurs: true, deviceScaleFactor: 1 });

  test('text above a moving picture is legible on white and on black', async ({ page, show }) => {
    await page.clock.install();
    for (const scene of ['call-video-white', 'call-video-black']) {
      await show(scene);
      await page.locator(`html[data-scene=${scene}]`).waitFor({ state: 'attached' });
      const controls = page.locator(
        '[role=dialog] [role=toolbar] button, [role=dialog] header button, [role=dialog] header p',
      );
      await expect.poll(() => theirPixel(page)).toBe(scene === 'call-video-white' ? 255 : 0);
      // The controls would be hidden without a touch. The clock is stopped here, and a touch shows them again.
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.mouse.move(300, 300);
      await page.mouse.move(320, 300);
      await expect(page.getByRole('dialog')).toHaveAttribute('data-controls', 'shown');
      for (const control of await controls.all()) {
        const picture = await control.screenshot({ animations: 'disabled' });
        const isText = (await control.evaluate((element) => element.tagName)) === 'P';
        const contrast = await page.evaluate(contrastOf, picture.toString('base64'));
        expect(contrast, `${scene}: ${await control.innerHTML()}`).toBeGreaterThanOrEqual(isText ? 4.5 : 3);
      }
      await page.clock.resume();
    }
  });
});

/** Returns the brightness of the remote picture, 0 to 255. */
function theirPixel(page: Page): Promise<number> {
  return page.evaluate(() => {
    const video = document.querySelector('video');
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    if (video === null || video.videoWidth === 0 || context === null) return -1;
    context.drawImage(video, 0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data[0] ?? -1;
  });
}

/**
 * In the page: returns the contrast of an image between its text and its background, by their shares of the pixels
 * (WCAG 2.2, 1.4.3).
 */
async function contrastOf(base64: string): Promise<number> {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (context === null) throw new Error('No canvas');
  context.drawImage(bitmap, 0, 0);
  // The middle without the rounded ends, which show the picture below.
  const [x, y] = [bitmap.width * 0.22, bitmap.height * 0.22];
  const { data } = context.getImageData(x, y, bitmap.width - 2 * x, bitmap.height - 2 * y);
  const lightness: number[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [...data.subarray(at, at + 3)].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    lightness.push(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  }
  lightness.sort((one, other) => one - other);
  // Strokes are thin. The most frequent colour is the background, and the percentile at the other end is the text.
  const ground = lightness[Math.floor(lightness.length / 2)] ?? 0;
  const ends = [
    lightness[Math.floor(lightness.length * 0.01)] ?? 0,
    lightness[Math.floor(lightness.length * 0.99)] ?? 0,
  ];
  return Math.max(...ends.map((ink) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)));
}

test('a screen reader reads the price of a ringing call once, as an update, because it arrives after the card', async ({
  page,
  show,
}) => {
  await show('incoming-video');
  const card = page.getByRole('alertdialog', { name: '予安' });
  await expect(card.locator('[aria-live=polite]')).toHaveText('接通後每分鐘 40 幣');
  await expect(card).toHaveAccessibleDescription('視訊通話來電');
});

test('one device is signed out only after a confirmation, whose safe answer changes nothing', async ({
  page,
  show,
}) => {
  await show('settings');
  const button = page.getByRole('button', { name: /^登出「Windows 上的 Samsung Internet」/ });
  const question = page.getByRole('alertdialog', { name: '要登出「Windows 上的 Samsung Internet」嗎？' });
  await button.click();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(page.getByText('已登出該裝置')).toHaveCount(0);
  await button.click();
  await question.getByRole('button', { name: '登出' }).click();
  await expect(page.getByText('已登出該裝置')).toBeVisible();
});

test('a password manager finds the user name of a password sheet in a hidden field', async ({ page, show }) => {
  await show('settings-password');
  const username = page.getByRole('dialog').locator('input[autocomplete=username]');
  await expect(username).toHaveValue('me');
  await expect(username).toBeHidden();
});

test('the to-do list of a woman is shown before her points have loaded', async ({ page, show }) => {
  await show('hub-points-loading');
  await expect(page.getByRole('region', { name: '還差幾步' })).toBeVisible();
});

const CALLS_DOWN = { 'zh-Hant': '目前無法通話，正在重新連線…', en: 'Calls are not available right now. Reconnecting…' };
for (const [scene, line] of [
  ['chat-list-calls-down', CALLS_DOWN],
  ['chat-thread-calls-down', CALLS_DOWN],
  [
    'chat-list-offline',
    { 'zh-Hant': '目前離線，畫面上的狀態可能不是最新的', en: 'You are offline. This page may be out of date.' },
  ],
  [
    'chat-thread-offline',
    { 'zh-Hant': '離線中，文字會在連上網路後送出', en: 'Offline: texts are sent when you are online again' },
  ],
] as const) {
  test(`${scene} reports a missing function once, in both languages`, async ({ page, show }) => {
    for (const locale of ['zh-Hant', 'en'] as const) {
      await show(scene, { locale });
      await expect(page.getByRole('status').filter({ hasText: line[locale] })).toHaveCount(1);
    }
  });
}

test('the language and the theme change immediately', async ({ page, show }) => {
  await show('home');
  await page.getByRole('button', { name: '我的' }).click();
  await page.getByRole('radio', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('h1')).toHaveText('Who to talk to tonight');
  await page.getByRole('radio', { name: 'Light' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('SCR-18: /current-points shows redeemable, pending and reviewed points, and links to the redemption', async ({
  page,
  show,
}) => {
  await show('points');
  await expect(page.getByRole('heading', { level: 1, name: '我的點數' })).toBeVisible();
  await expect(page.getByText('12,680 點', { exact: true })).toBeVisible();
  await expect(page.getByText('840 點', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: '申請兌換' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: '申請兌換' });
  await sheet.getByLabel('兌換點數').fill('1500');
  await expect(sheet.getByRole('button', { name: '確認兌換 NT$1,485' })).toBeVisible();
  await sheet.getByLabel('兌換點數').fill('1550');
  await sheet.getByLabel('兌換點數').press('Enter');
  await expect(sheet.getByLabel('兌換點數')).toBeFocused();
  await expect(sheet.getByLabel('兌換點數')).toHaveAccessibleDescription(/請輸入 1,000 到 12,600 點/);
  await expect(sheet.getByRole('alert').filter({ hasText: '請輸入 6 位數的驗證碼。' })).toBeVisible();
  await sheet.getByRole('button', { name: '取得驗證碼' }).press('Enter');
  await expect(sheet.getByText('已寄到 +8869*****678')).toBeVisible();
  await expect(sheet.getByLabel('驗證碼')).toBeEditable();
});

test('SCR-19: /income-details shows the income of a period by day, source and supporter, with the chart also as a table', async ({
  page,
  show,
}) => {
  await show('income');
  await expect(page.getByRole('heading', { level: 1, name: '收益明細' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '3,653 點' })).toBeVisible();
  await expect(page.locator('figure canvas')).toBeVisible();
  await page.getByText('以表格顯示').press('Enter');
  await expect(page.getByRole('table', { name: '每日收入' }).getByRole('row')).toHaveCount(8);
  await expect(page.getByRole('meter', { name: /^視訊通話/ })).toHaveAttribute('aria-valuetext', '1,760 點');
  await page.getByRole('radio', { name: '自訂' }).press('Space');
  await expect(page.getByLabel('開始日')).toBeVisible();
});

test('SCR-21: /redemption-records shows the state of each redemption, refunds with their reason, and cancels a waiting one', async ({
  page,
  show,
}) => {
  await show('redemptions');
  await expect(page.getByRole('heading', { level: 1, name: '兌換紀錄' })).toBeVisible();
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(5);
  await expect(cards.nth(1).getByRole('listitem').filter({ hasText: '審核' })).toHaveAttribute('aria-current', 'step');
  await expect(cards.nth(2)).toContainText('已入帳');
  await expect(cards.nth(3)).toContainText('戶名和身分證件不符，3,000 點已退回');
  await expect(page.getByRole('button', { name: '取消兌換' })).toHaveCount(1);
  await page.getByRole('button', { name: '取消兌換' }).press('Enter');
  await expect(page.getByRole('alertdialog', { name: '取消這筆兌換？' })).toBeVisible();
});

for (const scene of ['hub-failed', 'man-info-failed'] as const) {
  test(`${scene}: a home page that failed to load shows the error and no loading indicator`, async ({ page, show }) => {
    await show(scene);
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expect(page.getByRole('region', { name: '今天' })).toContainText('–');
    await expect(page.locator('#root [aria-busy=true], #root [role=status] [aria-hidden]')).toHaveCount(0);
  });
}

test('a man can send a gift from a woman’s page, and a woman cannot send one from his', async ({ page, show }) => {
  await show('gift-sheet-profile');
  const sheet = page.getByRole('dialog', { name: '送禮給沛涵' });
  await expect(sheet.getByRole('radio')).toHaveCount(12);
  await show('man-info-card');
  await expect(page.getByRole('button', { name: '傳訊息' })).toBeVisible();
  await expect(page.getByRole('button', { name: '送禮' })).toHaveCount(0);
});

test('a chat shows the price of calls; its first reply offers notifications, and later replies offer the installation', async ({
  page,
  show,
}) => {
  await show('chat-thread-first-reply');
  await expect(page.getByRole('button', { name: '視訊通話給沛涵，每分鐘 40 幣' })).toHaveText('40 / 分');
  const composer = page.getByRole('textbox', { name: /^傳訊息給/ });
  await composer.fill('喜歡！');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await composer.press('Enter');
  const offer = page.getByRole('dialog', { name: '有人找你時，讓你知道' });
  await expect(offer).toBeVisible();
  await offer.getByRole('button', { name: '稍後再說' }).click();
  // The landing page offers it to users who have used the app for a while.
  await page.getByRole('button', { name: '我的' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '登出' }).click();
  await expect(page.getByRole('link', { name: /^男生註冊/ })).toBeVisible();
  await expect(page.getByRole('button', { name: '安裝' })).toBeVisible();
});

test.describe('every input of the component kit can be filled in by keyboard', () => {
  test('an invalid form focuses its first error, and shows the errors of the server beside their fields', async ({
    page,
    show,
  }) => {
    await show('kit-form');
    await page.getByRole('button', { name: '送出' }).press('Enter');
    const nickname = page.getByLabel('暱稱');
    await expect(nickname).toBeFocused();
    await expect(nickname).toHaveAccessibleDescription('這一欄要填 其他人看得到');
    await nickname.fill('小婷');
    await page.getByLabel('密碼', { exact: true }).fill('a-long-one');
    await page.getByRole('button', { name: '顯示密碼' }).press('Enter');
    await expect(page.getByLabel('密碼', { exact: true })).toHaveAttribute('type', 'text');
    await page.getByLabel('生日').fill('1996-02-03');
    await page.getByLabel('城市').selectOption('台南');
    await page.getByRole('button', { name: '增加' }).press('Enter');
    await expect(page.getByLabel('每分鐘價格')).toHaveValue('40');
    await page.getByLabel('驗證碼').fill('１２3-456');
    await expect(page.getByLabel('驗證碼')).toHaveValue('123456');
    await page.getByRole('checkbox').press('Space');
    await page.keyboard.press('Enter');
    await expect(nickname).toHaveAccessibleDescription('這個暱稱已經有人用了 其他人看得到');
    await expect(nickname).toBeFocused();
    await nickname.fill('予安');
    await nickname.press('Enter');
    await expect(page.getByRole('alert')).not.toBeEmpty();
  });

  test('choices are made with the keys of the platform', async ({ page, show }) => {
    await show('kit-choices');
    await page.getByRole('switch').press('Space');
    await expect(page.getByRole('switch')).not.toBeChecked();
    await page.getByRole('radio', { name: '信用卡' }).press('Space');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: '超商代碼' })).toBeChecked();
    await page.getByRole('button', { name: '電影' }).press('Enter');
    await expect(page.getByRole('button', { name: '美食' })).toBeDisabled();
    await page.getByRole('slider').press('ArrowRight');
    await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', '50 幣');
  });

  test('a confirmation dialog focuses its safe answer, takes Escape for that answer, and returns the focus', async ({
    page,
    show,
  }) => {
    await show('kit-buttons');
    const opener = page.getByRole('button', { name: '刪除對話' });
    await opener.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: '要刪除這段對話嗎？' });
    await expect(dialog.getByRole('button', { name: '取消' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('已保留')).toBeVisible();
    await expect(opener).toBeFocused();
    await opener.press('Enter');
    await expect(dialog.getByRole('button', { name: '取消' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('已刪除')).toBeVisible();
    await expect(opener).toBeFocused();
  });

  test('a menu moves by arrow keys, closes on Escape and returns the focus', async ({ page, show }) => {
    await show('kit-lists');
    const opener = page.getByRole('button', { name: '更多動作' });
    await opener.press('Enter');
    await expect(page.getByRole('menuitem', { name: '檢舉' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: '封鎖' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(opener).toBeFocused();
    await opener.press('Enter');
    await expect(page.getByRole('menuitem', { name: '檢舉' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: '檢舉' })).toBeVisible();
    await expect(opener).toBeFocused();
  });
});
