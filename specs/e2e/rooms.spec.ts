/** Tests the rooms of the app with real pages, a real exchange and the media of the server. */
import { expect, type Locator } from '@playwright/test';
import { scaled } from '../../tools/run/machine-factor.ts';
import { test } from './support/calls-test.ts';
import { accept, dial, expectConnected, type Person } from './support/person.ts';

const tileOf = (who: Person, name: string): Locator =>
  who.page.locator('main [data-participant]').filter({ has: who.page.getByText(name, { exact: true }) });

/** Expects that this page shows moving pictures of a participant, and hears the tone of the participant. */
async function expectSeesAndHears(who: Person, name: string): Promise<void> {
  const video = tileOf(who, name).locator('video');
  const time = (): Promise<number> => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth), { timeout: 40_000 })
    .toBeGreaterThan(0);
  const before = await time();
  await expect.poll(time, { timeout: scaled(20_000) }).toBeGreaterThan(before + 0.5);
  // The ring is measured in the sound of the element, by Web Audio.
  await expect(tileOf(who, name)).toHaveAttribute('data-speaking', 'true', { timeout: scaled(20_000) });
}

async function enter(who: Person): Promise<void> {
  await who.page.getByRole('button', { name: '進入房間' }).click();
  await expect(who.page.getByRole('timer', { name: '停留時間' })).toBeVisible({ timeout: scaled(20_000) });
}

async function invite(who: Person, name: string): Promise<void> {
  await who.page.locator('main header').getByRole('button', { name: '邀請', exact: true }).click();
  const sheet = who.page.getByRole('dialog', { name: '邀請' });
  await sheet.getByRole('searchbox').fill(name);
  await sheet.getByRole('button', { name: `邀請${name}` }).click();
  await expect(sheet.getByRole('button', { name: `已邀請${name}` })).toBeVisible();
  await who.page.keyboard.press('Escape');
}

test('users create a room, see and hear each other in it, one invites a third, and one leaves', async ({ person }) => {
  const [alice, bob, dave] = await Promise.all([person('alice'), person('bob'), person('dave')]);
  await alice.page.getByRole('link', { name: '房間' }).click();
  await alice.page.getByRole('button', { name: '建立房間' }).first().click();
  await alice.page.getByRole('dialog', { name: '建立房間' }).getByLabel('房間名稱').fill('深夜聊聊');
  await alice.page.getByRole('button', { name: '建立並進入' }).click();
  await expect(alice.page.getByRole('heading', { level: 1 })).toHaveText('深夜聊聊');
  await expect(alice.page.getByText('裡面還沒有人')).toBeVisible();
  await enter(alice);

  await bob.page.getByRole('link', { name: '房間' }).click();
  await bob.page.getByRole('link', { name: /深夜聊聊.*1 \/ 6/ }).click();
  await expect(bob.page.getByText('Alice在裡面')).toBeVisible();
  await enter(bob);
  await Promise.all([expectSeesAndHears(alice, 'Bob'), expectSeesAndHears(bob, 'Alice')]);

  await bob.page.getByRole('button', { name: '麥克風' }).click();
  await expect(tileOf(alice, 'Bob').getByText('已靜音')).toBeAttached();
  await expect(tileOf(alice, 'Bob')).not.toHaveAttribute('data-speaking', 'true');
  await bob.page.getByRole('button', { name: '麥克風' }).click();
  await expect(tileOf(alice, 'Bob')).toHaveAttribute('data-speaking', 'true', { timeout: scaled(20_000) });

  await invite(alice, 'Dave');
  await expect(dave.incoming).toContainText('深夜聊聊');
  await dave.incoming.getByRole('button', { name: '去看看' }).click();
  await enter(dave);
  await Promise.all([
    expectSeesAndHears(dave, 'Alice'),
    expectSeesAndHears(dave, 'Bob'),
    expectSeesAndHears(alice, 'Dave'),
  ]);

  // On another screen the room is still heard, and its picture is no longer received.
  await dave.page.getByRole('link', { name: '縮小房間，回到列表' }).click();
  const dock = dave.page.getByRole('region', { name: '你所在的房間：深夜聊聊' });
  await expect(dock).toHaveAttribute('data-speaking', 'true', { timeout: scaled(20_000) });
  await expect(dave.page.getByText('你在這裡')).toBeVisible();
  await dock.getByRole('link', { name: '回到房間' }).click();
  await expectSeesAndHears(dave, 'Alice');

  await bob.page.getByRole('button', { name: '離開房間' }).click();
  await expect(bob.page.getByRole('heading', { name: '你已離開房間' })).toBeVisible();
  await expect(tileOf(alice, 'Bob')).toHaveCount(0);
  await expect(tileOf(alice, 'Dave')).toHaveCount(1);

  await alice.page.getByRole('button', { name: '更多選項' }).click();
  await alice.page.getByRole('dialog', { name: '更多選項' }).getByRole('button', { name: '刪除房間' }).click();
  await alice.page.getByRole('alertdialog').getByRole('button', { name: '刪除房間' }).click();
  await expect(alice.page.getByRole('heading', { name: '房間已被刪除' })).toBeVisible();
  await expect(dave.page.getByRole('heading', { name: '房間已被刪除' })).toBeVisible();
});

test('a call becomes a room after the other user agrees, and continues when the other user declines', async ({
  person,
}) => {
  const [alice, bob] = await Promise.all([person('alice'), person('bob')]);
  await dial(bob, alice, 'video');
  await accept(alice);
  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  const ask = async (): Promise<void> => {
    await bob.page.mouse.move(200, 200);
    await bob.page.mouse.move(210, 210);
    await bob.call.getByRole('button', { name: '更多選項' }).click();
    await bob.page.getByRole('dialog', { name: '更多選項' }).getByRole('button', { name: '轉為房間' }).click();
  };

  await ask();
  await alice.incoming.getByRole('button', { name: '留在通話' }).click();
  await expect(bob.call).toContainText('Alice想留在通話');
  await expectConnected(bob);
  await bob.call.getByRole('button', { name: '知道了' }).click();

  await ask();
  await alice.incoming.getByRole('button', { name: '移到房間' }).click();
  await Promise.all([expectSeesAndHears(alice, 'Bob'), expectSeesAndHears(bob, 'Alice')]);
  for (const { page } of [alice, bob]) await expect(page.getByRole('region', { name: /通話$/ })).toHaveCount(0);
  for (const { page } of [alice, bob]) await page.getByRole('button', { name: '離開房間' }).click();
});
