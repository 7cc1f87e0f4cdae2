/**
 * Measures the entry into a room with video: from `enter` to the first picture of every other participant, in a page of
 * Chromium. The lower bound is an entry with bare peer connections to the same media server, whose offers are sent by
 * HTTP. Both take turns in the same run, and both send their camera.
 *
 * Usage: room-entry.bench.ts [participants, with the one that enters] [rounds]
 */
import type { Page } from '@playwright/test';
import { gather } from '../../cli/rooms/gather.ts';
import { signInForRooms } from '../../cli/rooms/room-requests.ts';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { printTable } from './print-table.ts';
import type * as Entries from './room-media/entry-page.ts';
import { openPages } from './room-media/library-pages.ts';

/** The names in the pages. */
declare const entryPage: typeof Entries;

const SIZE = Number(process.argv[2] ?? 4);
const ROUNDS = Number(process.argv[3] ?? 15);
const GOAL = 1.25;
const LIBRARY_USER = 'alice';
const BARE_USER = 'bob';

/** Returns the value below which this share of the values is. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const row = (name: string, values: readonly number[]) => [
  name,
  ...[Math.min(...values), quantile(values, 0.5), quantile(values, 0.95), Math.max(...values)].map((ms) =>
    ms.toFixed(0),
  ),
];

const rowsOf = (name: string, times: readonly Entries.EntryTimes[]) => [
  row(
    `${name}: entered`,
    times.map(({ entered }) => entered),
  ),
  row(
    `${name}: first pictures`,
    times.map(({ pictures }) => pictures),
  ),
];

const measure = (page: Page) => page.evaluate(() => entryPage.measure());

const sim = await startSim({ demo: true, port: 0 });
const owner = { server: sim.url, appId: DEFAULT_APP_ID, userId: LIBRARY_USER };
const requests = await signInForRooms(owner);
const { room_id: roomId } = await requests.create('small_room_for_video', {});
// One place is left for the participant that enters.
const crowd = gather(owner, { roomId, size: SIZE - 1, video: true });
const pages = await openPages(sim.url, new URL('room-media/entry-page.ts', import.meta.url), 'entryPage');
try {
  await crowd.gathered;
  const [library, bare] = [await pages.open(), await pages.open()];
  const entering = { api: sim.url, appId: DEFAULT_APP_ID, roomId };
  await library.evaluate((user) => entryPage.useLibrary(user), { ...entering, userId: LIBRARY_USER });
  await bare.evaluate((user) => entryPage.useBarePeers(user), { ...entering, userId: BARE_USER });

  // The first round of each warms the engine up, and does not count. The library waits until all others are connected.
  await measure(library);
  await measure(bare);
  const bareTimes: Entries.EntryTimes[] = [];
  const libraryTimes: Entries.EntryTimes[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bareTimes.push(await measure(bare));
    libraryTimes.push(await measure(library));
  }
  printTable(
    [`milliseconds, room of ${SIZE}, ${ROUNDS} rounds`, 'least', 'median', 'p95', 'most'],
    [...rowsOf('bare', bareTimes), ...rowsOf('library', libraryTimes)],
  );
  const [floor, entry] = [bareTimes, libraryTimes].map((times) =>
    quantile(
      times.map(({ pictures }) => pictures),
      0.5,
    ),
  );
  console.log(`ratio of the medians: ${((entry ?? Number.NaN) / (floor ?? Number.NaN)).toFixed(2)} (goal: ${GOAL})`);
} finally {
  await pages.close();
  await crowd.leave();
  await sim.close();
}
