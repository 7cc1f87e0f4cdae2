/** Two people in two browsers call each other through the app and a real exchange. */
import { expect } from '@playwright/test';
import { test } from './support/calls-test.ts';
import {
  accept,
  cardOf,
  dial,
  expectConnected,
  expectHears,
  expectSees,
  expectSilence,
  press,
  reading,
} from './support/person.ts';
import { REAR_CAMERA_FROM } from './support/page-media.ts';

const phone = { width: 390, height: 844 };

test('PROD-02 CALL-02 OVL-01 OVL-02 OVL-03 OVL-05 DC-07 DC-29 DC-36: a video call is dialled, answered, heard and seen on both sides, and ended by the caller', async ({
  person,
}, testInfo) => {
  const [alice, bob] = await Promise.all([person('alice'), person('bob', { viewport: phone })]);
  await dial(alice, bob, 'video');
  await expect(alice.call).toHaveAttribute('data-phase', 'outgoing');
  await expect(alice.call).toContainText('正在撥打');

  await expect(bob.incoming).toHaveAccessibleName('Alice');
  await expect(bob.incoming).toContainText('視訊通話來電');
  await expect(bob.incoming.getByRole('button', { name: '拒絕' })).toBeVisible();
  const avatar = bob.incoming.locator('img');
  await expect(avatar).toHaveAttribute('src', /alice/);
  await expect.poll(() => avatar.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await bob.page.screenshot({ path: testInfo.outputPath('incoming-phone.png') });
  await accept(bob);
  await expect(bob.incoming).toHaveCount(0);

  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  await Promise.all([expectHears(alice, bob.tone), expectHears(bob, alice.tone)]);
  await Promise.all([expectSees(alice), expectSees(bob)]);
  // The controls come back with the pointer.
  for (const { page } of [alice, bob]) {
    await page.mouse.move(200, 200);
    await page.mouse.move(210, 210);
  }
  await alice.page.screenshot({ path: testInfo.outputPath('call-desktop.png') });
  await bob.page.screenshot({ path: testInfo.outputPath('call-phone.png') });

  await press(alice, '結束通話');
  await expect(alice.call).toHaveCount(0);
  await expect(bob.call).toHaveAttribute('data-phase', 'ended');
  await expect(bob.call).toContainText('通話結束');
  await expect(bob.call).toContainText('通話時間');
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

test('OVL-06 OVL-07 OVL-08 OVL-11: what one side switches off the other side no longer hears and sees, and back on again', async ({
  person,
}) => {
  const [alice, bob] = await Promise.all([person('alice'), person('bob')]);
  await dial(bob, alice, 'video');
  await accept(alice);
  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  await expectHears(bob, alice.tone);

  await press(alice, '麥克風');
  await expect(bob.call.getByText('對方已靜音')).toBeVisible();
  await expectSilence(bob);
  await press(alice, '麥克風');
  await expect(bob.call.getByText('對方已靜音')).toHaveCount(0);
  await expectHears(bob, alice.tone);
  await expectSees(bob);

  await press(alice, '鏡頭');
  await expect(bob.call.getByText('對方關閉了鏡頭')).toBeVisible();
  await press(alice, '鏡頭');
  await expect(bob.call.getByText('對方關閉了鏡頭')).toHaveCount(0);
  await expectHears(bob, alice.tone);
  await expectSees(bob);
  expect((await reading(bob)).newest).toBeLessThan(REAR_CAMERA_FROM);

  await press(alice, '切換鏡頭');
  await expect.poll(async () => (await reading(bob)).newest).toBeGreaterThan(REAR_CAMERA_FROM);
  await press(alice, '切換鏡頭');
  await expect.poll(async () => (await reading(bob)).newest).toBeLessThan(REAR_CAMERA_FROM);

  await press(alice, '結束通話');
  await expect(alice.call).toHaveCount(0);
  await expect(bob.call).toContainText('通話結束');
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

test('PROD-02 OVL-05 OVL-06: a voice call shows who it is, is heard on both sides, and shows no video', async ({
  person,
}) => {
  const [alice, bob] = await Promise.all([person('alice'), person('bob')]);
  await dial(alice, bob, 'voice');
  await expect(bob.incoming).toContainText('語音通話來電');
  await accept(bob);
  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  await Promise.all([expectHears(alice, bob.tone), expectHears(bob, alice.tone)]);
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    await expect(one.call.getByText(other.nickname, { exact: true })).toBeVisible();
    await expect(one.call.locator('video')).toHaveCount(0);
    await expect(one.call.getByRole('toolbar').getByRole('button')).toHaveCount(2);
  }
  await press(bob, '結束通話');
  await expect(alice.call).toContainText('通話結束');
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

test('whoever has no camera is told so and what to do, and is heard all the same', async ({ person }) => {
  const [alice, bob] = await Promise.all([person('alice', { cameraFails: 'NotReadableError' }), person('bob')]);
  await dial(bob, alice, 'video');
  await accept(alice);
  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  await expect(alice.call.getByText('其他程式正在使用鏡頭，對方看不到你。')).toBeVisible();
  await expect(alice.call.getByRole('button', { name: '鏡頭', exact: true })).toBeDisabled();
  await expectHears(bob, alice.tone);
  await expect(bob.call.getByText('其他程式正在使用鏡頭')).toHaveCount(0);
  await press(bob, '結束通話');
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

test('OVL-04 DC-15: 拒絕 hides the card, and tells the caller', async ({ person }) => {
  const [alice, bob] = await Promise.all([person('alice'), person('bob')]);
  await dial(alice, bob, 'video');
  await bob.incoming.getByRole('button', { name: '拒絕' }).click();
  await expect(bob.incoming).toHaveCount(0);
  await expect(bob.call).toHaveCount(0);
  await expect(alice.call).toContainText('對方婉拒了通話');
  await alice.call.getByRole('button', { name: '關閉' }).click();
  await expect(alice.call).toHaveCount(0);
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

test('DC-08 DC-18: who cancels takes the card away, and leaves a missed call to ring back', async ({ person }) => {
  const [alice, bob] = await Promise.all([person('alice'), person('bob')]);
  await dial(alice, bob, 'voice');
  await expect(bob.incoming).toBeVisible();
  await press(alice, '結束通話');
  await expect(bob.incoming).toHaveCount(0);
  await expect(bob.page.getByText('Alice 的未接來電')).toBeVisible();

  await bob.page.getByRole('button', { name: '回撥' }).click();
  await expect(alice.incoming).toHaveAccessibleName('Bob');
  await accept(alice);
  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

test('PROD-03 PRES-06: who signs in and leaves is seen by others, without asking again', async ({
  person,
}, testInfo) => {
  const alice = await person('alice');
  const bobsCard = cardOf(alice, { nickname: 'Bob' });
  await expect(bobsCard).not.toHaveAttribute('data-presence', 'online');
  const bob = await person('bob');
  await expect(bobsCard).toHaveAttribute('data-presence', 'online');
  await alice.page.screenshot({ path: testInfo.outputPath('home-desktop.png') });
  await bob.page.context().close();
  await expect(bobsCard).toHaveAttribute('data-presence', 'offline');
});
