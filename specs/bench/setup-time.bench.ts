/**
 * Measures the set-up of a call: from the dial to the first picture of the other side, on both sides, between two
 * pages of Chromium through the exchange. The callee accepts at once. The lower bound is two peer connections in one
 * page, measured by turns in the same run. Both start before the devices are opened.
 *
 * Usage: setup-time.bench.ts [rounds]
 */
import { chromium, type Page } from '@playwright/test';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import type * as Calls from '../../src/calls/index.ts';
import { CHROMIUM_ARGUMENTS, findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { serveLibraryPage } from './library-page.ts';
import { printTable } from './print-table.ts';

/** The names in the pages. */
declare const calls: typeof Calls;

const ROUNDS = Number(process.argv[2] ?? 15);
const [CALLER, CALLEE] = ['alice', 'bob'];

/** Milliseconds since the start of a round. */
interface Setup {
  readonly ringing: number;
  readonly established: number;
  readonly connected: number;
  readonly firstFrames: number;
}

interface Floor {
  readonly devices: number;
  readonly connected: number;
  readonly firstFrames: number;
}

/** Signs in, and accepts every incoming call. The page records the first picture of each. */
async function signIn(page: Page, userId: string, sim: { readonly url: string }): Promise<void> {
  await page.waitForFunction(() => 'calls' in globalThis);
  await page.evaluate(
    async ([id, appId, api]) => {
      calls.init(appId, api, api.replace(/^http/, 'ws'));
      await calls.authenticate({ userId: id });
      calls.addListener('bench', {
        onRinging: (ringing) => {
          const remote = document.querySelector<HTMLVideoElement>('#remote');
          const local = document.querySelector<HTMLVideoElement>('#local');
          const firstFrame = new Promise<number>((seen) => {
            remote?.requestVideoFrameCallback(() => seen(performance.timeOrigin + performance.now()));
          });
          Object.assign(globalThis, { firstFrame, rungAt: performance.timeOrigin + performance.now() });
          ringing.accept({ callOption: { localMediaView: local, remoteMediaView: remote } });
        },
      });
      await calls.connectWebSocket();
    },
    [userId, DEFAULT_APP_ID, sim.url] as const,
  );
}

/** Makes and ends one call. Returns its times on the page of the caller, and when the callee saw the caller. */
async function call(caller: Page, callee: Page): Promise<Setup> {
  const dialled = await caller.evaluate(async (userId) => {
    const local = document.querySelector<HTMLVideoElement>('#local');
    const remote = document.querySelector<HTMLVideoElement>('#remote');
    const now = () => performance.timeOrigin + performance.now();
    const times = { dialled: now(), established: 0, connected: 0, firstFrame: 0 };
    const dialling = calls.dial({
      userId,
      isVideoCall: true,
      callOption: { localMediaView: local, remoteMediaView: remote },
    });
    await new Promise<void>((done, failed) => {
      dialling.onEstablished = () => {
        times.established = now();
      };
      // The first picture may arrive before the event that media is connected.
      const check = () => {
        if (times.connected > 0 && times.firstFrame > 0) done();
      };
      dialling.onConnected = () => {
        times.connected = now();
        check();
      };
      dialling.onEnded = ({ endResult }) => failed(new Error(`the call ended: ${endResult}`));
      remote?.requestVideoFrameCallback(() => {
        times.firstFrame = now();
        check();
      });
    });
    dialling.onEnded = null;
    Object.assign(globalThis, { dialling });
    return times;
  }, CALLEE ?? '');
  const answered = await callee.evaluate(async () => {
    const page: { firstFrame: Promise<number>; rungAt: number } = Object(globalThis);
    return { firstFrame: await page.firstFrame, rungAt: page.rungAt };
  });
  await caller.evaluate(() => {
    const { dialling }: { dialling: Calls.DirectCall } = Object(globalThis);
    dialling.end();
  });
  for (const page of [caller, callee]) await page.waitForFunction(() => calls.getOngoingCallCount() === 0);
  const { dialled: start } = dialled;
  return {
    ringing: answered.rungAt - start,
    established: dialled.established - start,
    connected: dialled.connected - start,
    firstFrames: Math.max(dialled.firstFrame, answered.firstFrame) - start,
  };
}

/** The lower bound: two peer connections in one page, with separate devices and pictures. */
function floor(page: Page): Promise<Floor> {
  return page.evaluate(async () => {
    const start = performance.now();
    const since = () => performance.now() - start;
    const wanted = { audio: true, video: { frameRate: { ideal: 24 }, facingMode: { ideal: 'user' } } };
    const streams = await Promise.all([1, 2].map(() => navigator.mediaDevices.getUserMedia(wanted)));
    const devices = since();
    const ends = streams.map((stream) => {
      const connection = new RTCPeerConnection();
      for (const track of stream.getTracks()) connection.addTrack(track, stream);
      return { connection, video: document.createElement('video') };
    });
    const [one, other] = ends;
    if (!one || !other) throw new Error('there are two');
    let connected = 0;
    const pictures = ends.map(({ connection, video }, at) => {
      connection.addEventListener('icecandidate', ({ candidate }) => {
        if (candidate) void (at === 0 ? other : one).connection.addIceCandidate(candidate);
      });
      connection.addEventListener('connectionstatechange', () => {
        if (connection.connectionState === 'connected') connected = since();
      });
      connection.addEventListener('track', ({ streams: [stream] }) => {
        video.muted = true;
        video.srcObject = stream ?? null;
        void video.play().catch(() => undefined);
      });
      document.body.append(video);
      return new Promise<void>((seen) => void video.requestVideoFrameCallback(() => seen()));
    });
    await one.connection.setLocalDescription();
    await other.connection.setRemoteDescription(one.connection.localDescription ?? { type: 'offer' });
    await other.connection.setLocalDescription();
    await one.connection.setRemoteDescription(other.connection.localDescription ?? { type: 'answer' });
    await Promise.all(pictures);
    const firstFrames = since();
    for (const { connection, video } of ends) {
      connection.close();
      video.remove();
    }
    for (const stream of streams) for (const track of stream.getTracks()) track.stop();
    return { devices, connected, firstFrames };
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

const row = (name: string, values: readonly number[]) => [
  name,
  ...[Math.min(...values), median(values), Math.max(...values)].map((ms) => ms.toFixed(0)),
];

const executablePath = findChromium();
if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
const [sim, library, browser] = await Promise.all([
  startSim({ demo: true, port: 0, settings: { dials: { burst: ROUNDS + 10, perSecond: 1 } } }),
  serveLibraryPage(),
  chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] }),
]);
try {
  const open = async () => {
    const context = await browser.newContext({ permissions: ['camera', 'microphone'] });
    const page = await context.newPage();
    // tsx adds a helper to functions, also to those that run in a page.
    await page.addInitScript('globalThis.__name = (named) => named');
    await page.goto(library.url);
    return page;
  };
  const [caller, callee, alone] = [await open(), await open(), await open()];
  await signIn(caller, CALLER ?? '', sim);
  await signIn(callee, CALLEE ?? '', sim);

  // The first round of each warms the engine up, and does not count.
  await floor(alone);
  await call(caller, callee);
  const floors: Floor[] = [];
  const setups: Setup[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await floor(alone));
    setups.push(await call(caller, callee));
  }
  const [floorMs, setupMs] = [floors, setups].map((times) => times.map(({ firstFrames }) => firstFrames));
  printTable(
    [`milliseconds, ${ROUNDS} rounds`, 'least', 'median', 'most'],
    [
      row(
        'floor: devices open',
        floors.map(({ devices }) => devices),
      ),
      row(
        'floor: connected',
        floors.map(({ connected }) => connected),
      ),
      row('floor: first frames both ways', floorMs ?? []),
      row(
        'call: rings at the callee',
        setups.map(({ ringing }) => ringing),
      ),
      row(
        'call: established',
        setups.map(({ established }) => established),
      ),
      row(
        'call: connected',
        setups.map(({ connected }) => connected),
      ),
      row('call: first frames both ways', setupMs ?? []),
    ],
  );
  console.log(`ratio of the medians: ${(median(setupMs ?? []) / median(floorMs ?? [])).toFixed(2)}`);
} finally {
  await browser.close();
  await Promise.all([library.close(), sim.close()]);
}
