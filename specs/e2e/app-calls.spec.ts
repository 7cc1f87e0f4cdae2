/** What the app opens and closes around a session, with a real exchange behind it. */
import { expect } from '@playwright/test';
import { test } from './support/calls-test.ts';
import { follow } from './support/person.ts';

test('SCR-07 PRES-01 PRES-02: login opens the presence socket and the calling service, and signing out closes presence', async ({
  person,
}) => {
  const alice = await person('alice');
  await expect.poll(() => alice.presence).toEqual(['connected']);
  await expect.poll(() => alice.steps).toContain('post /v1/users/alice/login');
  const at = (step: string) => alice.steps.indexOf(step);
  expect(at('post /auth/login')).toBe(0);
  expect(at('socket /ws/online/alice')).toBeGreaterThan(0);

  await alice.page.getByRole('button', { name: '我的' }).click();
  await alice.page.getByRole('button', { name: '登出' }).click();
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
  // The other sockets of a session start are there: the one that is missing was not opened.
  await expect.poll(() => inTab.steps).toContain('socket /ws/events');
  await expect.poll(() => inTab.steps).toContain('post /v1/users/alice/login');
  expect(inTab.steps).not.toContain('socket /ws/online/alice');
});

test('CALL-01: the calling service is asked with the fixed application id, and the user and token of the storage', async ({
  person,
}) => {
  const alice = await person('alice');
  const asked = alice.page.waitForRequest('**/v1/users/alice/login');
  await alice.page.reload();
  const stored = await alice.page.evaluate(() => ({
    user_id: localStorage.getItem('calling_user_id'),
    access_token: localStorage.getItem('calling_access_token'),
  }));
  expect((await asked).postDataJSON()).toEqual({ app_id: 'ringback-demo', ...stored });
});
