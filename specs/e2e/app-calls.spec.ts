/** Tests the connections that the app opens and closes with a session, against a real exchange. */
import { expect } from '@playwright/test';
import { test } from './support/calls-test.ts';
import { accept, dial, expectConnected, follow, type Person, press } from './support/person.ts';
import { shareCanvas } from './support/share-canvas.ts';

test('SCR-07 PRES-01 PRES-02: login opens the presence socket and the calling service, and signing out closes presence', async ({
  person,
}) => {
  const alice = await person('alice', { byLoginScreen: true });
  await expect.poll(() => alice.presence).toEqual(['connected']);
  await expect.poll(() => alice.steps).toContain('post /v1/users/alice/login');
  const at = (step: string) => alice.steps.indexOf(step);
  expect(at('post /auth/login')).toBe(0);
  expect(at('socket /ws/online/alice')).toBeGreaterThan(0);

  await alice.page.getByRole('button', { name: '我的' }).click();
  await alice.page.getByRole('dialog', { name: '我的' }).getByRole('button', { name: '登出' }).click();
  await expect.poll(() => alice.presence).toEqual(['connected', 'disconnected']);
});

test('SES-05 PRES-01: a reload keeps the login; another tab, with no user in its session storage, is not present', async ({
  person,
}) => {
  const alice = await person('alice');
  await expect.poll(() => alice.presence).toEqual(['connected']);
  await alice.page.reload();
  await expect.poll(() => alice.presence.at(-1)).toBe('connected');
  await expect.poll(() => alice.steps.filter((step) => step === 'socket /ws/online/alice').length).toBe(2);

  const tab = await alice.page.context().newPage();
  const inTab = follow(tab);
  await tab.goto(alice.page.url());
  await expect(tab.getByRole('button', { name: /^Bob，/ })).toBeVisible();
  // The other sockets of a session are open, so the missing socket was not opened.
  await expect.poll(() => inTab.steps).toContain('socket /ws/events');
  await expect.poll(() => inTab.steps).toContain('post /v1/users/alice/login');
  expect(inTab.steps).not.toContain('socket /ws/online/alice');
});

test('SES-02: a reload before the session was checked keeps it', async ({ signedIn }) => {
  const alice = await signedIn('alice');
  let asked = 0;
  // The server never answers the first request.
  await alice.route('**/auth/refresh_token', (route) => ((asked += 1) === 1 ? undefined : route.continue()));
  await alice.reload();
  await expect.poll(() => asked).toBe(1);
  const checked = alice.waitForResponse('**/auth/refresh_token');
  await alice.reload();
  expect((await checked).status()).toBe(200);
});

test('CALL-01: the app signs in to the calling service with the fixed application id, and the stored user and token', async ({
  signedIn,
}) => {
  const alice = await signedIn('alice');
  const asked = alice.waitForRequest('**/v1/users/alice/login');
  await alice.reload();
  const stored = await alice.evaluate(() => ({
    user_id: localStorage.getItem('calling_user_id'),
    access_token: localStorage.getItem('calling_access_token'),
  }));
  expect((await asked).postDataJSON()).toEqual({ app_id: 'ringback-demo', ...stored });
});

test('OVL-03 OVL-04 OVL-11 OVL-12: in a call the user shares a screen, holds it for a second call, resumes it, and keeps it in a small window on another screen', async ({
  person,
}) => {
  const [alice, bob, dave] = await Promise.all([person('alice'), person('bob'), person('dave')]);
  await alice.page.evaluate(shareCanvas, [640, 360] as const);

  await dial(dave, alice, 'voice');
  await alice.incoming.getByRole('button', { name: '更多回應方式' }).click();
  await alice.incoming.getByRole('button', { name: '稍後回你' }).click();
  await expect(alice.incoming).toHaveCount(0);
  await expect(dave.call).toContainText('對方婉拒了通話');
  await expect.poll(() => alice.steps.some((step) => /^post .*\/channels\/.+\/messages$/.test(step))).toBe(true);

  await dial(bob, alice, 'video');
  await accept(alice);
  await Promise.all([expectConnected(alice), expectConnected(bob)]);

  await pressExtra(alice, '分享畫面');
  await expect(alice.call.getByText('你正在分享畫面')).toBeVisible();
  await expect.poll(() => theirWidth(bob)).toBe(640);
  await alice.call.getByRole('button', { name: '停止分享' }).click();
  await expect.poll(() => theirWidth(bob)).toBe(320);

  await pressExtra(alice, '保留通話');
  await expect(alice.call.getByRole('button', { name: '麥克風' })).toBeDisabled();
  await expect(bob.call).toContainText('Alice 保留了通話');
  await expect(bob.call.getByRole('button', { name: '恢復通話' })).toHaveCount(0);
  await alice.call.getByRole('button', { name: '恢復通話' }).click();
  await expect(bob.call.getByText('保留中')).toHaveCount(0);

  await dave.call.getByRole('button', { name: '重新撥打' }).click();
  await alice.incoming.getByRole('button', { name: '保留並接聽' }).click();
  await expectConnected(dave);
  await expect(bob.call).toContainText('Alice 保留了通話');
  await expect(alice.call).toHaveAccessibleName('與Dave的語音通話');
  await alice.call.getByRole('button', { name: '切換到與Bob的通話' }).click();
  await expect(alice.call).toHaveAccessibleName('與Bob的視訊通話');
  await expect(bob.call.getByText('保留中')).toHaveCount(0);
  await expect(dave.call).toContainText('Alice 保留了通話');
  await alice.page.mouse.move(200, 200);
  await alice.call.getByRole('button', { name: '切換到與Dave的通話' }).click();
  await expectConnected(dave);
  await press(alice, '結束通話');
  await expect(alice.call).toHaveAccessibleName('與Bob的視訊通話');
  await alice.call.getByRole('button', { name: '恢復通話' }).click();
  await expect(bob.call.getByText('保留中')).toHaveCount(0);

  await alice.page.mouse.move(300, 300);
  await alice.call.getByRole('button', { name: '縮小通話' }).click();
  await expect(alice.call).toHaveCount(0);
  const docked = alice.page.getByRole('region', { name: '與Bob的視訊通話' });
  await expect.poll(() => docked.locator('video').evaluate((video: HTMLVideoElement) => video.paused)).toBe(false);
  await alice.page.getByRole('button', { name: '我的' }).click();
  await alice.page.keyboard.press('Escape');
  await docked.getByRole('button', { name: '結束通話' }).click();
  await expect(bob.call).toContainText('通話結束');
  expect([alice.complaints, bob.complaints, dave.complaints]).toEqual([[], [], []]);
});

/** Presses an action in the overflow menu of the call. */
async function pressExtra(who: Person, name: string): Promise<void> {
  await who.page.mouse.move(200, 200);
  await who.page.mouse.move(210, 210);
  await who.call.getByRole('button', { name: '更多選項' }).click();
  await who.page.getByRole('dialog', { name: '更多選項' }).getByRole('button', { name }).click();
}

/** Returns the width of the remote picture, in pixels. */
function theirWidth(who: Person): Promise<number> {
  return who.call
    .locator('video')
    .first()
    .evaluate((video: HTMLVideoElement) => video.videoWidth);
}
