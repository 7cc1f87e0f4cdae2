/** Tests a room between hosts of the library in Chromium whose node crashes, with a real Redis and a real PostgreSQL. */
import { expect } from '@playwright/test';
import { Redis } from 'ioredis';
import { scaled } from '../../tools/run/machine-factor.ts';
import { NO_REDIS_SERVER, startRedis } from '../contract/shared-state/redis-server.ts';
import { makeSchema, NO_POSTGRES } from '../contract/store/postgres-schema.ts';
import { processOfNode } from '../wrtc/node-processes.ts';
import { ringback, type Terminal } from '../wrtc/terminal.ts';
import { bundleForPage } from './support/bundle-for-page.ts';
import { type Host, test as base } from './support/hosts-test.ts';
import type * as PageRoom from './support/page-room.ts';

/** In the pages. */
declare const pageRoom: typeof PageRoom;

interface Cluster {
  readonly terminal: Terminal;
  readonly redis: Redis;
}

const ALICE = { tone: 500, colour: 'red' } as const;
const BOB = { tone: 1_300, colour: 'green' } as const;
const TONES = [ALICE.tone, BOB.tone];
const WHY_NOT = NO_POSTGRES ?? NO_REDIS_SERVER;

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
const test = base.extend<{ readonly cluster: Cluster }>({
  cluster: async ({}, use) => {
    const server = await startRedis();
    const schema = await makeSchema();
    const redis = new Redis(server.url);
    const terminal = ringback(['cluster', '--nodes', '3', '--port', '0', '--log-level', 'info', '--drain', '1s'], {
      DATABASE_URL: schema.url,
      REDIS_URL: server.url,
    });
    await terminal.saw(/stop +Ctrl-C/, scaled(60_000));
    await use({ terminal, redis });
    terminal.process.kill('SIGINT');
    await terminal.exited().catch(() => terminal.kill());
    redis.disconnect();
    await server.dispose();
    await schema.drop();
  },
  simUrl: async ({ cluster }, use) => use(/exchange +(http:\S+)/.exec(cluster.terminal.out)?.[1] ?? ''),
});
test.skip(WHY_NOT !== undefined, WHY_NOT);

let script: string;
test.beforeAll(async () => {
  script = await bundleForPage(new URL('support/page-room.ts', import.meta.url), 'pageRoom');
});

const patience = { timeout: scaled(60_000), intervals: [200] };

async function enter({ page }: Host, roomId: string): Promise<void> {
  await page.evaluate((room) => pageRoom.enter(room), roomId);
}

/** Waits until a page shows and plays exactly this user. */
async function expectMedia({ page }: Host, { userId, colour, tone }: Host): Promise<void> {
  await expect.poll(() => page.evaluate(() => pageRoom.seen()), patience).toEqual({ [userId]: colour });
  await expect.poll(() => page.evaluate((all) => pageRoom.heard(all), TONES), patience).toEqual({ [userId]: [tone] });
}

/** Resolves with the name of the node that owns a room. */
async function ownerOf(redis: Redis, roomId: string): Promise<string> {
  const [key = ''] = await redis.keys(`*${roomId}*`);
  return (await redis.hget(key, 'owner')) ?? '';
}

test('S27 two pages show and play each other again after the node of their room was killed', async ({
  host,
  cluster: { terminal, redis },
}) => {
  const [alice, bob] = await Promise.all([host('alice', ALICE), host('bob', BOB)]);
  for (const { page } of [alice, bob]) await page.addScriptTag({ content: script });
  const id = await alice.page.evaluate(() => pageRoom.create('small_room_for_video'));
  await enter(alice, id);
  await enter(bob, id);
  await Promise.all([expectMedia(alice, bob), expectMedia(bob, alice)]);

  const first = await ownerOf(redis, id);
  process.kill(processOfNode(terminal, first), 'SIGKILL');
  for (const { page } of [alice, bob])
    await expect.poll(() => page.evaluate(() => pageRoom.told), patience).toContain('reconnected');
  await Promise.all([expectMedia(alice, bob), expectMedia(bob, alice)]);
  expect(await ownerOf(redis, id)).not.toBe(first);
  // A frozen picture would stay red.
  await alice.page.evaluate(() => pageHost.show('hidden'));
  await expectMedia(bob, { ...alice, colour: 'black' });
  // Neither participant left the room.
  for (const { page } of [alice, bob])
    expect(await page.evaluate(() => pageRoom.room().remoteParticipants.length)).toBe(1);
});
