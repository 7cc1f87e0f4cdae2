/** Tests rooms between hosts of the library in Chromium, through the media server of a real exchange. */
import { expect } from '@playwright/test';
import type * as Calls from '../../src/calls/index.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { bundleForPage } from './support/bundle-for-page.ts';
import { type Host, test } from './support/hosts-test.ts';
import type * as PageRoom from './support/page-room.ts';

/** In the pages. */
declare const pageRoom: typeof PageRoom;

const ALICE = { tone: 500, colour: 'red' } as const;
const BOB = { tone: 1_300, colour: 'green' } as const;
const CAROL = { tone: 2_100, colour: 'blue' } as const;
const TONES = [ALICE.tone, BOB.tone, CAROL.tone];

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

const patience = { timeout: scaled(30_000), intervals: [200] };

/** Waits until a page shows and plays exactly these users. */
async function expectMedia({ page }: Host, ...others: readonly Host[]): Promise<void> {
  const colours = Object.fromEntries(others.map(({ userId, colour }) => [userId, colour]));
  const tones = Object.fromEntries(others.map(({ userId, tone }) => [userId, [tone]]));
  await expect.poll(() => page.evaluate(() => pageRoom.seen()), patience).toEqual(colours);
  await expect.poll(() => page.evaluate((all) => pageRoom.heard(all), TONES), patience).toEqual(tones);
}

const told = ({ page }: Host) => page.evaluate(() => pageRoom.told);
const packets = ({ page }: Host, kind: 'audio' | 'video') => page.evaluate((one) => pageRoom.packets(one), kind);

test('EP-02 EP-05 EP-13 EP-17 RM-30 RM-36: three pages of a small room for video show and play each other, also after one was hidden', async ({
  host,
}) => {
  const [alice, bob, carol] = await Promise.all([host('alice', ALICE), host('bob', BOB), host('carol', CAROL)]);
  const id = await enter(alice, 'small_room_for_video');
  await enter(bob, 'small_room_for_video', id);
  await Promise.all([expectMedia(alice, bob), expectMedia(bob, alice)]);
  await enter(carol, 'small_room_for_video', id);
  await Promise.all([expectMedia(alice, bob, carol), expectMedia(bob, alice, carol), expectMedia(carol, alice, bob)]);
  expect((await told(alice)).toSorted()).toEqual(['stream of bob', 'stream of carol']);

  // A hidden page sends black and its sound. Each return opens another channel.
  const channels = await alice.page.evaluate(() => pageHost.openedChannels());
  await alice.page.evaluate(() => pageHost.show('hidden'));
  await expectMedia(bob, { ...alice, colour: 'black' }, carol);
  await alice.page.evaluate(() => pageHost.show('visible'));
  await expectMedia(bob, alice, carol);
  await expect.poll(() => alice.page.evaluate(() => pageHost.openedChannels()), patience).toBe(channels + 1);

  // A picture without a view does not arrive, and its sound does.
  await carol.page.evaluate(() => ['alice', 'bob'].forEach((userId) => pageRoom.setShown(userId, false)));
  await expect
    .poll(async () => {
      const before = await packets(carol, 'video');
      const sound = await packets(carol, 'audio');
      await expect.poll(() => packets(carol, 'audio'), patience).toBeGreaterThan(sound + 50);
      return (await packets(carol, 'video')) - before;
    }, patience)
    .toBe(0);
  await carol.page.evaluate(() => pageRoom.setShown('bob', true));
  await expect
    .poll(() => carol.page.evaluate(() => [pageRoom.seen()['bob'], pageRoom.heard([1_300])['bob']]), patience)
    .toEqual(['green', [1_300]]);

  for (const { page } of [alice, bob, carol]) {
    await page.evaluate(() => pageRoom.room().exit());
    await expect.poll(() => page.evaluate(() => pageHost.leftovers()), patience).toEqual([]);
  }
});
