/** Tests rooms between hosts of the library in Chromium, whose media is on Janus servers. */
import { expect } from '@playwright/test';
import type * as Calls from '../../src/calls/index.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { NO_JANUS, serverOf, startJanus, type TestJanus } from '../wrtc/janus-server.ts';
import { bundleForPage } from './support/bundle-for-page.ts';
import { type Host, test as base } from './support/hosts-test.ts';
import type * as PageRoom from './support/page-room.ts';

/** In the pages. */
declare const pageRoom: typeof PageRoom;

const ALICE = { tone: 500, colour: 'red' } as const;
const BOB = { tone: 1_300, colour: 'green' } as const;
const TONES = [ALICE.tone, BOB.tone];

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
const test = base.extend<{ readonly servers: readonly TestJanus[] }>({
  servers: async ({}, use) => {
    const servers = [await startJanus(0), await startJanus(1)];
    await use(servers);
    for (const server of servers) await server.dispose();
  },
  sim: async ({ servers }, use) => {
    const sim = await startSim({ demo: true, port: 0, janus: { urls: servers.map(({ url }) => url), secret: null } });
    await use(sim);
    await sim.close();
  },
});
test.skip(NO_JANUS !== undefined, NO_JANUS);

let script: string;
test.beforeAll(async () => {
  script = await bundleForPage(new URL('support/page-room.ts', import.meta.url), 'pageRoom');
});

/** Enters a room. Without an id, creates it. Returns its id. */
async function enter({ page }: Host, type: Calls.RoomType, roomId?: string): Promise<string> {
  await page.addScriptTag({ content: script });
  const id = roomId ?? (await page.evaluate((wanted) => pageRoom.create(wanted), type));
  await page.evaluate((room) => pageRoom.enter(room), id);
  return id;
}

const patience = { timeout: scaled(60_000), intervals: [200] };

/** Waits until a page shows and plays exactly this user. */
async function expectMedia({ page }: Host, { userId, colour, tone }: Host): Promise<void> {
  await expect.poll(() => page.evaluate(() => pageRoom.seen()), patience).toEqual({ [userId]: colour });
  await expect.poll(() => page.evaluate((all) => pageRoom.heard(all), TONES), patience).toEqual({ [userId]: [tone] });
}

const told = ({ page }: Host) => page.evaluate(() => pageRoom.told);
const packets = ({ page }: Host, kind: 'audio' | 'video') => page.evaluate((one) => pageRoom.packets(one), kind);

test('EP-05 EP-07 EP-10 EP-13: two pages on Janus show and play each other, after a paused picture and on another server', async ({
  host,
  servers,
}) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  const id = await enter(alice, 'small_room_for_video');
  await enter(bob, 'small_room_for_video', id);
  await Promise.all([expectMedia(alice, bob), expectMedia(bob, alice)]);

  // The sound goes on while no view shows the picture.
  await bob.page.evaluate(() => pageRoom.setShown('alice', false));
  const before = await packets(bob, 'audio');
  await expect.poll(() => packets(bob, 'audio'), patience).toBeGreaterThan(before + 100);
  await bob.page.evaluate(() => pageRoom.setShown('alice', true));
  // A frozen picture would stay red.
  await alice.page.evaluate(() => pageHost.show('hidden'));
  await expectMedia(bob, { ...alice, colour: 'black' });
  await alice.page.evaluate(() => pageHost.show('visible'));
  await expectMedia(bob, alice);

  const serversOf = async ({ page }: Host) => new Set((await page.evaluate(() => pageHost.answers())).map(serverOf));
  const [first = 0] = await serversOf(alice);
  expect([await serversOf(alice), await serversOf(bob)]).toEqual([new Set([first]), new Set([first])]);
  await servers[first]?.kill();
  for (const one of [alice, bob]) {
    await expect.poll(() => told(one), patience).toContain('reconnected');
  }
  await Promise.all([expectMedia(alice, bob), expectMedia(bob, alice)]);
  expect([await serversOf(alice), await serversOf(bob)]).toEqual([new Set([1 - first]), new Set([1 - first])]);
});

test('two pages of a large room for video on Janus show each other, and get the mix', async ({ host }) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  const id = await enter(alice, 'large_room_for_video');
  await enter(bob, 'large_room_for_video', id);
  for (const [one, other] of [[alice, bob] as const, [bob, alice] as const]) {
    await expect
      .poll(() => one.page.evaluate(() => pageRoom.seen()), patience)
      .toEqual({ [other.userId]: other.colour });
  }
  for (const one of [alice, bob]) {
    const before = await packets(one, 'audio');
    await expect.poll(() => packets(one, 'audio'), patience).toBeGreaterThan(before + 50);
  }
});
