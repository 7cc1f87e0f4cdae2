/** A room of six with video: three participants in pages, and three in terminals. Each measures every other one. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { demoPeople } from '../../../sim/server/demo-people.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { startVisitor } from '../../../cli/rooms/visitor.ts';
import { signInForRooms } from '../../../cli/rooms/room-requests.ts';
import type { RoomReport } from '../../../cli/headless/room/room-messages.ts';
import { printTable } from '../print-table.ts';
import { type Arrived, arrivalRows, missingArrivals, type ToneOfUser } from './arrivals.ts';
import { openPages } from './library-pages.ts';
import type * as Page from './room-page.ts';

/** The names in the pages. */
declare const roomPage: typeof Page;

const PAGES = 3;
const SIZE = 6;
/** The limit until everyone receives every other one. */
const GATHER_MS = 60_000;
const LEAVE_MS = 20_000;

/** A participant that measures. Reports can be read once. */
interface Measuring {
  readonly userId: string;
  /** Resolves when the media of all others arrives, and the measurement has begun. */
  gathered(): Promise<void>;
  /** Leaves, and returns the measurements by user. */
  report(): Promise<ReadonlyMap<string, Arrived>>;
  stop(): void;
}

/** Lets the room run for a time, and prints the table. Returns what is missing, a line each. */
export async function measureVideoRoom(server: string, lengthMs: number): Promise<string[]> {
  const users: ToneOfUser[] = demoPeople()
    .slice(0, SIZE)
    .map(({ u_id: userId }, at) => ({ userId, tone: 440 + 110 * at }));
  const requests = await signInForRooms({ server, appId: DEFAULT_APP_ID, userId: users[0]?.userId ?? '' });
  const { room_id: roomId } = await requests.create('small_room_for_video', {});
  const pages = await openPages(server, new URL('room-page.ts', import.meta.url), 'roomPage');
  const measuring: Measuring[] = [];
  try {
    for (const [at, user] of users.entries()) {
      measuring.push(await (at < PAGES ? inPage(pages, server, roomId, user) : inTerminal(server, roomId, user)));
    }
    await Promise.all(measuring.map((one) => one.gathered()));
    await sleep(lengthMs);
    // A participant that has left is not measured any more, so all report at the same time.
    const reports = await Promise.all(measuring.map(async (one) => [one.userId, await one.report()] as const));
    const arrivals = new Map(reports);
    const inPages = users.slice(0, PAGES).map(({ userId }) => userId);
    console.log(`${inPages.join(', ')}: pages; the others: terminals`);
    printTable(['tone heard, frames/s, steps', ...users.map(({ userId }) => userId)], arrivalRows(users, arrivals));
    return missingArrivals(users, arrivals);
  } finally {
    for (const one of measuring) one.stop();
    await pages.close();
  }
}

async function inPage(
  pages: Awaited<ReturnType<typeof openPages>>,
  api: string,
  roomId: string,
  user: ToneOfUser,
): Promise<Measuring> {
  const page = await pages.open();
  await page.evaluate((given) => roomPage.enter(given), { api, appId: DEFAULT_APP_ID, roomId, ...user });
  return {
    userId: user.userId,
    async gathered() {
      const all = SIZE - 1;
      await page.waitForFunction((wanted) => roomPage.arrived() === wanted, all, { timeout: scaled(GATHER_MS) });
      await page.evaluate(() => roomPage.begin());
    },
    report: async () => new Map(await page.evaluate(() => roomPage.readings())),
    stop: () => undefined,
  };
}

async function inTerminal(server: string, roomId: string, { userId, tone }: ToneOfUser): Promise<Measuring> {
  const news = new EventEmitter();
  // A failure that nothing waits for ends the next wait.
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure = error;
    if (news.listenerCount('error') > 0) news.emit('error', error);
  };
  const happens = async (what: string, ms: number) => {
    if (failure) throw failure;
    await once(news, what, { signal: AbortSignal.timeout(scaled(ms)) }).catch((error: Error) => {
      throw new Error(`${userId} has not ${what}: ${error.message}`);
    });
  };
  let report: RoomReport | null = null;
  const assignment = {
    server,
    appId: DEFAULT_APP_ID,
    userId,
    roomId,
    publishes: true,
    video: true,
    kickSiblings: false,
  };
  const visitor = startVisitor(
    { type: 'visit', ...assignment, media: { tone, width: 320, height: 240, fps: 10 } },
    (event) => {
      if (event.type === 'failed') fail(new Error(event.message));
      if (event.type === 'entered' || event.type === 'left') news.emit(event.type);
      if (event.type === 'left') report = event.report;
      if (event.type !== 'measured') return;
      if (event.participants.filter(({ second }) => second !== null).length === SIZE - 1) news.emit('gathered');
    },
    nodeClock,
  );
  visitor.done.catch(fail);
  await happens('entered', GATHER_MS);
  return {
    userId,
    gathered: () => happens('gathered', GATHER_MS),
    async report() {
      const left = happens('left', LEAVE_MS);
      visitor.leave();
      await left;
      return new Map(
        report?.participants.flatMap(({ user, received: { audio, video } }) =>
          audio && video ? [[user, { ...audio, ...video }] as const] : [],
        ),
      );
    },
    stop: () => visitor.kill(),
  };
}
