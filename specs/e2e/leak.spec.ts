/** Tests that sixty calls in one page release everything they used. */
import { type CDPSession, expect } from '@playwright/test';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import type * as Ringback from '../../src/calls/index.ts';
import { serveFolder } from './support/host-projects.ts';
import { test } from './support/worker-test.ts';

/** In the page: one copy of the library for each side of the calls. Only a build in one file has no part that copies share. */
declare const sides: Record<'alice' | 'bob', typeof Ringback>;

const CALLS = 60;
/** The first calls fill caches that stay on purpose: compiled code, the last lines of the log. */
const WARM_UP = 10;

/** Returns the bytes of reachable JavaScript objects. */
async function heapBytes(cdp: CDPSession): Promise<number> {
  // The next round collects the objects that a finalizer released.
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

/** Returns the result of `look` for every reachable object of a class in the page. */
async function left(cdp: CDPSession, className: string, look: string): Promise<string[]> {
  const { result: prototype } = await cdp.send('Runtime.evaluate', { expression: `${className}.prototype` });
  const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId ?? '' });
  const { result } = await cdp.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: `function () { return this.map(({ ${look} }) => ${look}); }`,
    returnByValue: true,
  });
  return result.value as string[];
}

test('after sixty calls in one page no connection and no live track is left, and the heap has not grown', async ({
  page,
}) => {
  const [sim, server] = await Promise.all([
    startSim({ demo: true, port: 0, settings: { dials: { burst: CALLS, perSecond: CALLS } } }),
    serveFolder('dist/lib', { html: '<!doctype html><video></video>' }),
  ]);
  await page.goto(server.url);
  await page.evaluate(
    async ([api, appId]) => {
      const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => import(`/ringback.es2019.js?${name}`)));
      Object.assign(globalThis, { sides: { alice, bob } });
      for (const userId of ['alice', 'bob'] as const) {
        sides[userId].init(appId, api, api.replace('http', 'ws'));
        await sides[userId].authenticate({ userId });
        await sides[userId].connectWebSocket();
      }
      const remoteMediaView = document.querySelector('video');
      sides.bob.addListener('test', { onRinging: (call) => call.accept({ callOption: { remoteMediaView } }) });
    },
    [sim.url, DEFAULT_APP_ID] as const,
  );

  /** Makes calls in turn, and ends each after both sides are connected. */
  const makeCalls = (count: number) =>
    page.evaluate(async (calls) => {
      for (let made = 0; made < calls; made += 1) {
        const call = sides.alice.dial({ userId: 'bob', isVideoCall: made % 4 === 0, callOption: {} });
        const [answer] = await new Promise<Ringback.DirectCall[]>((resolve, reject) => {
          call.onConnected = () => resolve(sides.bob.getOngoingCalls());
          call.onEnded = () => reject(new Error(`call ${made} ended ${call.endResult}`));
        });
        const bothEnded = [call, answer].map((side) => new Promise((ended) => side && (side.onEnded = ended)));
        call.end();
        await Promise.all(bothEnded);
      }
    }, count);

  const cdp = await page.context().newCDPSession(page);
  await makeCalls(WARM_UP);
  const base = await heapBytes(cdp);
  await makeCalls(CALLS - WARM_UP);
  const grown = await heapBytes(cdp);

  expect(await page.evaluate(() => [sides.alice, sides.bob].map((side) => side.getOngoingCallCount()))).toEqual([0, 0]);
  expect(await left(cdp, 'RTCPeerConnection', 'connectionState')).toEqual([]);
  // Chromium keeps an ended device track for a while.
  expect(await left(cdp, 'MediaStreamTrack', 'readyState')).not.toContain('live');
  for (const side of ['alice', 'bob']) expect(await left(cdp, `sides.${side}.DirectCall`, 'callId')).toEqual([]);
  expect(grown / base, `the heap grew from ${base} to ${grown} bytes`).toBeLessThan(1.2);
  await Promise.all([sim.close(), server.close()]);
});
