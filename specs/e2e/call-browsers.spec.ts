/** Tests calls between two users in two browsers, through the app and a real exchange. */
import { expect } from '@playwright/test';
import { expectNothingLeft, test } from './support/calls-test.ts';
import {
  accept,
  cardOf,
  dial,
  expectComesToSee,
  expectConnected,
  expectHears,
  expectSees,
  expectSilence,
  openPerson,
  type Person,
  press,
  reading,
} from './support/person.ts';
import { REAR_CAMERA_FROM } from './support/page-media.ts';

const phone = { width: 390, height: 844 };

// Opening two pages of the app takes more processor time than a call. So one pair of pages makes all calls of this file
// in turn.
test.describe.configure({ mode: 'default' });

let alice: Person;
let bob: Person;
test.beforeAll(async ({ browser, stack, pageMedia }) => {
  [alice, bob] = await Promise.all([
    openPerson(browser, stack, 'alice', { pageMedia }),
    openPerson(browser, stack, 'bob', { pageMedia, viewport: phone }),
  ]);
});
test.afterAll(async () => {
  for (const { page } of [alice, bob]) await page.context().close();
});
// oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
test.afterEach(async ({}, { status, expectedStatus }) => {
  // After a failure Playwright opens another pair of pages.
  if (status !== expectedStatus) return;
  for (const one of [alice, bob]) {
    await expect(one.call).toHaveCount(0);
    await expectNothingLeft(one);
    // The sheet where the user dialled is open again.
    const sheet = one.page.getByRole('dialog');
    if ((await sheet.count()) > 0) await sheet.getByRole('button', { name: '關閉' }).click();
    await expect(sheet).toHaveCount(0);
  }
  expect([alice.complaints, bob.complaints]).toEqual([[], []]);
});

/** Ends a call on one side, and closes the summary on the other. */
async function hangUp(one: Person, other: Person): Promise<void> {
  await press(one, '結束通話');
  await expect(one.call).toHaveCount(0);
  await expect(other.call).toHaveAttribute('data-phase', 'ended');
  await expect(other.call).toContainText('通話結束');
  await other.call.getByRole('button', { name: '關閉' }).click();
  await expect(other.call).toHaveCount(0);
}

test('PROD-02 CALL-02 OVL-01 OVL-02 OVL-03 OVL-05 DC-07 DC-29 DC-36: a video call is dialled, answered, heard and seen on both sides, and ended by the caller', async () => {
  await dial(alice, bob, 'video');
  await expect(alice.call).toHaveAttribute('data-phase', 'outgoing');
  await expect(alice.call).toContainText('正在撥打');

  await expect(bob.incoming).toHaveAccessibleName('Alice');
  await expect(bob.incoming).toContainText('視訊通話來電');
  await expect(bob.incoming.getByRole('button', { name: '拒絕' })).toBeVisible();
  const avatar = bob.incoming.locator('img');
  await expect(avatar).toHaveAttribute('src', /alice/);
  await expect.poll(() => avatar.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await accept(bob);
  await expect(bob.incoming).toHaveCount(0);

  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  await Promise.all([expectHears(alice, bob.tone), expectHears(bob, alice.tone)]);
  await Promise.all([expectSees(alice), expectSees(bob)]);

  await press(alice, '結束通話');
  await expect(alice.call).toHaveCount(0);
  await expect(bob.call).toHaveAttribute('data-phase', 'ended');
  await expect(bob.call).toContainText('通話結束');
  await expect(bob.call).toContainText('通話時間');
  await bob.call.getByRole('button', { name: '關閉' }).click();
});

test('OVL-06 OVL-07 OVL-08 OVL-11: a side hears and sees nothing of a device that the other side turned off, and everything after it is on again', async () => {
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
  await expectComesToSee(bob);
  expect((await reading(bob)).newest).toBeLessThan(REAR_CAMERA_FROM);

  await press(alice, '切換鏡頭');
  await expect.poll(async () => (await reading(bob)).newest).toBeGreaterThan(REAR_CAMERA_FROM);
  await press(alice, '切換鏡頭');
  await expect.poll(async () => (await reading(bob)).newest).toBeLessThan(REAR_CAMERA_FROM);

  await hangUp(alice, bob);
});

test('PROD-02 OVL-05 OVL-06: a voice call shows the other user, is heard on both sides, and shows no video', async () => {
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
  await hangUp(bob, alice);
});

test('a user without a camera reads the reason and the remedy, and is still heard', async ({ person }) => {
  const dave = await person('dave', { cameraFails: 'NotReadableError' });
  await dial(alice, dave, 'video');
  await accept(dave);
  await Promise.all([expectConnected(alice), expectConnected(dave)]);
  await expect(dave.call.getByText('其他程式正在使用鏡頭，對方看不到你。')).toBeVisible();
  await expect(dave.call.getByRole('button', { name: '鏡頭', exact: true })).toBeDisabled();
  await expectHears(alice, dave.tone);
  await expect(alice.call.getByText('其他程式正在使用鏡頭')).toHaveCount(0);
  await hangUp(alice, dave);
  expect(dave.complaints).toEqual([]);
});

test('OVL-04 DC-15: 拒絕 hides the incoming card, and the caller sees that the call was declined', async () => {
  await dial(alice, bob, 'video');
  await bob.incoming.getByRole('button', { name: '拒絕' }).click();
  await expect(bob.incoming).toHaveCount(0);
  await expect(bob.call).toHaveCount(0);
  await expect(alice.call).toContainText('對方婉拒了通話');
  await alice.call.getByRole('button', { name: '關閉' }).click();
  await expect(alice.call).toHaveCount(0);
});

test('DC-08 DC-18: a cancelled call removes the incoming card, and leaves a missed call that the callee can return', async () => {
  await dial(alice, bob, 'voice');
  await expect(bob.incoming).toBeVisible();
  await press(alice, '結束通話');
  await expect(alice.call).toHaveCount(0);
  await expect(bob.incoming).toHaveCount(0);
  await expect(bob.page.getByText('Alice 的未接來電')).toBeVisible();

  await bob.page.getByRole('button', { name: '回撥' }).click();
  await expect(alice.incoming).toHaveAccessibleName('Bob');
  await accept(alice);
  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  await hangUp(bob, alice);
});

test('PROD-03 PRES-06: other users see without a reload when a user signs in and leaves', async ({ person }) => {
  const card = cardOf(alice, { nickname: 'Dave' });
  await expect(card).not.toHaveAttribute('data-presence', 'online');
  const dave = await person('dave');
  await expect(card).toHaveAttribute('data-presence', 'online');
  await dave.page.context().close();
  await expect(card).toHaveAttribute('data-presence', 'offline');
});
