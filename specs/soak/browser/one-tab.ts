/** L9: a tab of Chromium makes many calls, and then a long one. It keeps no peer connection, no track and no memory. */
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium, HOW_TO_GET_CHROMIUM } from '../../../cli/worlds/browser/chromium.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import type * as Calls from '../../../src/calls/index.ts';
import { serveLibraryPage } from '../../bench/library-page.ts';
import { startSoakServer } from '../server/soak-server.ts';
import { type Soak, SoakCannotRun, type SoakRun } from '../soak-run.ts';

/** The names in the pages. */
declare const calls: typeof Calls;

const CALLS = 200;
/** The heap is compared with that after these calls. */
const WARM_UP_CALLS = 20;
const HOLD_MS = 300;
const FLAT = 0.2;
const MIB = 1024 * 1024;
const SAMPLE_MS = 10_000;
const [CALLER, CALLEE] = ['alice', 'bob'];

export const L9: SoakRun = {
  id: 'L9',
  about: '200 calls in one tab of Chromium, then one call for an hour: heap, peer connections and tracks',
  minutes: 60,
  shortMs: null,
  takesServers: false,
  async run(soak) {
    const executablePath = findChromium();
    if (!executablePath) throw new SoakCannotRun(HOW_TO_GET_CHROMIUM);
    const server = await startSoakServer({ users: [CALLER, CALLEE] });
    const site = await serveLibraryPage();
    const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
    try {
      const caller = await openPage(browser, site.url, CALLER, server.url);
      await openPage(browser, site.url, CALLEE, server.url);
      await manyCalls(soak, caller);
      await longCall(soak, caller);
      const { faults } = await server.report();
      soak.condition('the server reports no error', faults.length === 0, faults.join('; ') || 'none');
    } finally {
      await browser.close();
      await site.close();
      await server.kill();
    }
  },
};

/** Opens a page that counts its peer connections and tracks, signs a user in, and accepts every call. */
async function openPage(browser: Browser, url: string, userId: string, api: string): Promise<Page> {
  const page = await (await browser.newContext({ permissions: ['microphone', 'camera'] })).newPage();
  // The transpiler names functions by a helper that the page lacks.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(() => {
    const open = new Set<RTCPeerConnection>();
    const live = new Set<MediaStreamTrack>();
    const Native = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        open.add(this);
      }
      override close(): void {
        open.delete(this);
        super.close();
      }
    };
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      for (const track of stream.getTracks()) live.add(track);
      return stream;
    };
    const kept = () => {
      for (const track of live) if (track.readyState === 'ended') live.delete(track);
      return { connections: open.size, tracks: live.size };
    };
    Object.assign(globalThis, { kept });
  });
  await page.goto(url);
  await page.waitForFunction(() => 'calls' in globalThis);
  await page.evaluate(
    async ([id, appId, host]) => {
      calls.init(appId, host, host.replace(/^http/, 'ws'));
      await calls.authenticate({ userId: id });
      calls.addListener('soak', { onRinging: (call) => call.accept({ callOption: {} }) });
      await calls.connectWebSocket();
    },
    [userId, DEFAULT_APP_ID, api] as const,
  );
  return page;
}

/** Makes a call and ends it after a while. Resolves with its result, and with what the page keeps afterwards. */
const oneCall = (page: Page, holdMs: number) =>
  page.evaluate(
    async ([userId, ms]) => {
      const call = calls.dial({ userId, isVideoCall: true, callOption: {} }, () => undefined);
      const result = await new Promise<string>((resolve) => {
        call.onConnected = () => setTimeout(() => call.end(), ms);
        call.onEnded = () => resolve(call.endResult ?? 'NONE');
      });
      const { kept } = globalThis as unknown as { kept(): { connections: number; tracks: number } };
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { result, ...kept() };
    },
    [CALLEE, holdMs] as const,
  );

async function manyCalls(soak: Soak, page: Page): Promise<void> {
  const results = new Map<string, number>();
  let [kept, before] = [0, 0];
  const heap = await heapOf(page);
  let made = 0;
  for (; made < CALLS && !soak.stop.aborted; made += 1) {
    const { result, connections, tracks } = await oneCall(page, HOLD_MS);
    results.set(result, (results.get(result) ?? 0) + 1);
    kept = Math.max(kept, connections + tracks);
    if (made === WARM_UP_CALLS) before = await heap();
    soak.say(`${made + 1} of ${CALLS} calls`);
    if (made % 10 === 0) soak.point('Heap of the tab, MiB', 'used after a collection', (await heap()) / MIB);
  }
  const growth = (await heap()) / Math.max(1, before) - 1;
  soak.condition(
    'every call completes',
    results.get('COMPLETED') === made,
    [...results].map(([name, count]) => `${name} ${count}`).join(', '),
  );
  soak.condition('the tab keeps no peer connection and no track after a call', kept === 0, `at most ${kept}`);
  soak.condition(
    'the heap is flat within 20 %',
    Math.abs(growth) <= FLAT,
    `${(100 * growth).toFixed(1)} % after ${made} calls`,
  );
}

async function longCall(soak: Soak, page: Page): Promise<void> {
  const heap = await heapOf(page);
  const before = await heap();
  const sampling = setInterval(() => {
    void heap().then(
      (bytes) => soak.point('Heap of the tab, MiB', 'used after a collection', bytes / MIB),
      () => undefined,
    );
    soak.say('the long call is connected');
  }, SAMPLE_MS);
  const ms = soak.stop.aborted ? HOLD_MS : soak.loadMs;
  const { result } = await oneCall(page, ms).finally(() => clearInterval(sampling));
  const growth = (await heap()) / before - 1;
  soak.condition('the long call completes', result === 'COMPLETED', `${result}, ${Math.round(ms / 1_000)} s`);
  soak.condition(
    'the heap is flat within 20 % over the long call',
    Math.abs(growth) <= FLAT,
    `${(100 * growth).toFixed(1)} %`,
  );
}

/** Returns a function that collects the garbage of the page and returns its used heap. Bytes. */
async function heapOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize;
  };
}
