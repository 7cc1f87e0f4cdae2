/** Sixty calls in one page: what each of them took, it gives back. */
import { type CDPSession, expect } from '@playwright/test';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import type * as Ringback from '../../src/calls/index.ts';
import { serveFolder } from './support/host-projects.ts';
import { test } from './support/worker-test.ts';

/** In the page: one copy of the library for each side of the calls. */
declare const sides: Record<'alice' | 'bob', typeof Ringback>;

const CALLS = 60;
/** The first calls fill what is kept on purpose: compiled code, the log's last lines. */
const WARM_UP = 10;

/** Bytes of JavaScript objects that something still reaches. */
async function heapBytes(cdp: CDPSession): Promise<number> {
  // What a finalizer lets go of is found by the next round.
  for (let round = 0; round < 3; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

/** What `look` says of every object of a class that something in the page still reaches. */
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

test('sixty calls in one page leave no connection, no live track and no growing heap', async ({ page }) => {
  const [sim, server] = await Promise.all([
    startSim({ demo: true, port: 0, settings: { dials: { burst: CALLS, perSecond: CALLS } } }),
    serveFolder('dist/lib', { html: '<!doctype html><video></video>' }),
  ]);
  await page.goto(server.url);
  await page.evaluate(
    async ([api, appId]) => {
      const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => import(`/ringback.js?${name}`)));
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

  /** Makes calls one after the other, each ended once both sides are connected. */
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
  // Chromium itself keeps a track that a device gave for a while after it has ended.
  expect(await left(cdp, 'MediaStreamTrack', 'readyState')).not.toContain('live');
  for (const side of ['alice', 'bob']) expect(await left(cdp, `sides.${side}.DirectCall`, 'callId')).toEqual([]);
  expect(grown / base, `the heap grew from ${base} to ${grown} bytes`).toBeLessThan(1.2);
  await Promise.all([sim.close(), server.close()]);
});
