/** Tests of the phone, in strict mode. The other users are headless, and the exchange is one of each test. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test as base, type World } from 'ringback-lab/testing/playwright';
import { preview } from 'vite';

interface Fixtures {
  /** Opens the phone of alice. */
  readonly open: (more?: Record<string, string>) => Promise<Page>;
}

const test = base.extend<Fixtures, { site: string }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
    async ({}, use) => {
      const server = await preview({ configFile: false, logLevel: 'error', preview: { host: '127.0.0.1', port: 0 } });
      await use(server.resolvedUrls?.local[0] ?? '');
      await server.close();
    },
    { scope: 'worker' },
  ],
  open: async ({ page, site, world }, use) => {
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await use(async (more = {}) => {
      await page.goto(`${site}?${new URLSearchParams({ user: 'alice', ...world.addressOf('alice'), ...more })}`);
      return page;
    });
    expect(faults).toEqual([]);
  },
});

const status = (page: Page, name: string): Locator => page.getByRole('status', { name });

async function ready(page: Page): Promise<Page> {
  await expect(status(page, 'Connection')).toHaveText('on');
  return page;
}

/** Waits until a video plays a picture. */
const plays = (video: Locator) =>
  expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBeGreaterThan(0);

const callOf = (page: Page, user: string) => page.getByRole('group', { name: `Call of ${user}` });
const press = (place: Page | Locator, name: string) => place.getByRole('button', { name }).click();
const dials = async (world: World, user: string, video: boolean) => await world.user(user).dials('alice', { video });

test('alice calls bob: both see each other, the time counts, and the result remains until she closes it', async ({
  open,
  world,
}) => {
  const page = await ready(await open());
  const bob = world.user('bob');
  await bob.accepts({ after: '200ms', videoEnabled: true });
  await press(page, 'Call Bob');
  await expect(status(page, 'Stage')).toHaveText('connected');
  await bob.hears('alice', { within: '20s' });
  await bob.sees('alice', { within: '20s' });
  await plays(page.getByLabel('Other picture'));
  await plays(page.getByLabel('Own picture'));
  await expect(page.getByRole('timer')).toHaveText(/^[1-9]/);
  await bob.mutes();
  await expect(page.getByText('bob is muted')).toBeVisible();
  await press(page, 'Mute');
  await bob.hearsNothing();
  await bob.ends();
  await expect(status(page, 'Stage')).toHaveText('ended: completed');
  await press(page, 'Close');
  await expect(page.getByRole('button', { name: 'Call Bob' })).toBeVisible();
  // Effects ran twice, and one call was dialled.
  expect(await world.messages({ from: 'alice', cmd: 'dial' })).toHaveLength(1);
});

test('alice declines a call, holds one for another, and goes back', async ({ open, world }) => {
  const page = await ready(await open());
  const [bob, carol] = [world.user('bob'), world.user('carol')];
  await dials(world, 'bob', false);
  await press(callOf(page, 'bob'), 'Decline');
  await bob.is('declined');

  await dials(world, 'bob', false);
  await press(callOf(page, 'bob'), 'Answer');
  await expect(status(page, 'Stage')).toHaveText('connected');
  await dials(world, 'carol', true);
  await press(callOf(page, 'carol'), 'Answer');
  await expect(page.getByRole('heading')).toHaveText('carol');
  await expect(status(page, 'Stage')).toHaveText('connected');
  await bob.has({ 'call.onHold': true });

  await press(page, 'Back to bob');
  await expect(page.getByRole('heading')).toHaveText('bob');
  await bob.has({ 'call.onHold': false });
  await carol.has({ 'call.onHold': true });
  await bob.hears('alice', { within: '20s' });
  await press(page, 'Hang up');
  await bob.is('completed');
  await expect(page.getByRole('heading')).toHaveText('carol');
});

test('the phone shows the error of a sign-in, and connects when alice tries again', async ({ open, world }) => {
  const fault = await world.fault({ kind: 'offline', actor: 'alice' });
  const page = await open();
  await expect(page.getByRole('alert')).toContainText(/\w/);
  await fault.clears();
  await press(page, 'Try again');
  await ready(page);
});

test('alice reads the lobby of a room, enters, sees carol, and leaves', async ({ open, world }) => {
  const carol = world.user('carol');
  const room = await carol.createsRoom();
  await carol.enters(room);
  const page = await ready(await open({ room }));
  await expect(status(page, 'Visit')).toHaveText('lobby');
  await plays(page.getByLabel('Preview'));
  await carol.invites('alice');
  await expect(page.getByText('You are invited')).toBeVisible();
  await press(page, 'Enter');
  await expect(status(page, 'Visit')).toHaveText('inside');
  await plays(page.getByLabel('carol'));
  await plays(page.getByLabel('alice'));
  await carol.has({ 'room.connected': 2 });
  await press(page, 'Leave');
  await expect(status(page, 'Visit')).toHaveText('over: left');
  await carol.has({ 'room.remotes': [] });
});

test('fails, since bob declines', async ({ open, world }) => {
  const page = await ready(await open());
  await world.user('bob').declines();
  await press(page, 'Call Bob');
  await expect(status(page, 'Stage')).toHaveText('ended: declined');
  await world.user('bob').is('connected', { within: '100ms' });
});
