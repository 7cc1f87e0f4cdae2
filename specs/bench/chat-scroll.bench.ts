/**
 * Measures how smoothly a chat of 10,000 messages scrolls, in the built app with a real server, in Chromium with the
 * view of a phone. It scrolls up to the first message, then down from the middle at a steady pace. It measures the
 * time between frames, and the growth of the page's memory. Exits 1 above the budget. `npm run build` first.
 *
 * Usage: chat-scroll.bench.ts [messages]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { appConfigFor, startAppServer } from '../../sim/server/start-app-server.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { openMigrated } from '../../sim/store/open-store.ts';
import { signIn } from '../e2e/support/sign-in.ts';
import { APP } from '../e2e/support/stack.ts';
import { printTable } from './print-table.ts';

const MESSAGES = Number(process.argv[2] ?? 10_000);
const BUDGET_MS = 20;
const SECONDS = 15;
/** The distance of a strong flick of a finger in a second: five screens. */
const PIXELS_PER_SECOND = 4_000;
const CHANNEL = 'bench-channel';
const WORDS = '今天天氣很好，想跟你一起去走走，順便喝杯咖啡聊聊近況。';

/** Creates two users with a long chat. */
async function write(database: string): Promise<void> {
  const { db } = await openMigrated(database, { warn: () => undefined });
  const at = Date.now() - MESSAGES * 60_000;
  const nothing = { pinned: 0, muted: 0, unread: 0, sent: 0, last_seq: MESSAGES, last_at: at };
  const seen = { read_seq: MESSAGES, delivered_seq: MESSAGES, cleared_seq: 0 };
  const channel = { channel_url: CHANNEL, pair: '["alice","bob"]', last_seq: MESSAGES, created_at: at };
  await db.insertInto('ringback_channels').values(channel).execute();
  await db
    .insertInto('ringback_members')
    .values([
      { channel_url: CHANNEL, u_id: 'alice', companion: 'bob', ...nothing, ...seen },
      { channel_url: CHANNEL, u_id: 'bob', companion: 'alice', ...nothing, ...seen },
    ])
    .execute();
  const all = Array.from({ length: MESSAGES }, (_, index) => ({
    channel_url: CHANNEL,
    seq: index + 1,
    sender: index % 5 < 3 ? 'alice' : 'bob',
    client_id: null,
    type: 'text',
    data: JSON.stringify({
      text: `${index + 1} ${WORDS.slice(0, 3 + ((index * 7) % WORDS.length)).repeat(1 + (index % 3))}`,
    }),
    at: at + index * 60_000,
  }));
  for (let from = 0; from < all.length; from += 1_000) {
    await db
      .insertInto('ringback_messages')
      .values(all.slice(from, from + 1_000))
      .execute();
  }
  await db.destroy();
}

/** In the page: scrolls up to the first message, loading older ones. */
function toTheStart(): Promise<void> {
  const log = document.querySelector('[role=log]');
  if (!log) throw new Error('There is no chat on the page');
  return new Promise((resolve) => {
    const step = (): void => {
      log.scrollTop = 0;
      if (log.querySelector('li')?.textContent?.includes('說：1 ')) resolve();
      else requestAnimationFrame(step);
    };
    step();
  });
}

/**
 * In the page: scrolls down from the middle at a steady pace for some seconds. Returns the milliseconds between frames.
 */
function scrollDown([seconds, pixelsPerSecond]: readonly [number, number]): Promise<number[]> {
  const log = document.querySelector('[role=log]');
  if (!log) throw new Error('There is no chat on the page');
  const middle = log.scrollHeight / 2;
  return new Promise((resolve) => {
    const frames: number[] = [];
    const begin = performance.now();
    let last = begin;
    const step = (now: number): void => {
      frames.push(now - last);
      last = now;
      log.scrollTop = middle + (pixelsPerSecond * (now - begin)) / 1_000;
      if (now - begin < seconds * 1_000) requestAnimationFrame(step);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  });
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

const executablePath = findChromium();
if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
const folder = await mkdtemp(join(tmpdir(), 'ringback-bench-'));
const database = join(folder, 'chat.db');
await write(database);
const sim = await startSim({ demo: true, port: 0, database });
const app = await startAppServer({ dir: APP, port: 0, config: appConfigFor(sim.url) });
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
try {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'zh-TW' });
  // tsx adds a helper to inner functions, which the page does not have.
  await page.addInitScript('globalThis.__name = (one) => one');
  await signIn(page, { appUrl: app.url, simUrl: sim.url }, 'alice');
  await page.goto(`${app.url}/man-chat-list/${CHANNEL}`);
  await page.getByRole('log').locator('li').last().waitFor();
  const before = await heapOf(page);
  const started = Date.now();
  await page.evaluate(toTheStart);
  const loadedMs = Date.now() - started;
  const loaded = await heapOf(page);
  const frames = (await page.evaluate(scrollDown, [SECONDS, PIXELS_PER_SECOND] as const)).toSorted((a, b) => a - b);
  const after = await heapOf(page);
  const at = (share: number): number => frames[Math.floor((frames.length - 1) * share)] ?? 0;
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  printTable(
    ['messages', 'to the first', 'frames', 'p50', 'p95', 'p99', 'heap of all', 'heap grown by scrolling'],
    [
      [
        String(MESSAGES),
        `${(loadedMs / 1_000).toFixed(1)} s`,
        String(frames.length),
        ...[0.5, 0.95, 0.99].map((share) => `${at(share).toFixed(1)} ms`),
        megabytes(loaded - before),
        megabytes(after - loaded),
      ],
    ],
  );
  if (at(0.95) > BUDGET_MS) {
    console.error(`95 of 100 frames may take ${BUDGET_MS} ms, and take ${at(0.95).toFixed(1)} ms`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await app.close();
  await sim.close();
  await rm(folder, { recursive: true });
}
