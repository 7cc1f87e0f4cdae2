import { FollowedCall } from '../../cli/headless/followed-call.ts';
import type { Assignment } from '../../cli/headless/messages.ts';
import type { HeadlessPlatform } from '../../cli/headless/platform/wrtc-platform.ts';
import { VirtualClock } from '../../sim/virtual/clock.ts';
import type { DirectCall } from '../../src/calls/direct-call/direct-call.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listenTo, watch } from '../../cli/headless/media/sinks.ts';
import { createBarsSource, createBlackSource, createToneSource } from '../../cli/headless/media/sources.ts';
import { createFrameMeter } from '../../cli/headless/signals/frame-meter.ts';
import { createToneMeter } from '../../cli/headless/signals/tone-meter.ts';
import { createPathProxy } from '../../sim/media/path-proxy.ts';
import { nodeClock, nodeRandom } from '../../sim/server/node-ports.ts';
import { readStats } from '../../src/calls/stats/read-stats.ts';
import { createPair, type Pair } from './direct-pair.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0).reverse()) one();
});

/** Connects peers with media: the caller sends a tone and bars, or the picture of `video`. The callee measures. */
function measuredPair(options: { path?: Parameters<typeof createPair>[0]; video?: typeof createBlackSource } = {}) {
  const pair = createPair(options.path);
  undo.push(() => pair.close());
  const tone = createToneSource(440);
  const bars = options.video?.(320, 240) ?? createBarsSource(320, 240, 24);
  undo.push(tone.stop, bars.stop);
  pair.caller.pc.addTransceiver(tone.track);
  pair.caller.pc.addTransceiver(bars.track);
  const tracks = new Promise<{ audio: MediaStreamTrack; video: MediaStreamTrack }>((resolve) => {
    const seen: Partial<Record<string, MediaStreamTrack>> = {};
    pair.callee.pc.addEventListener('track', ({ track }) => {
      seen[track.kind] = track;
      if (seen['audio'] && seen['video']) resolve({ audio: seen['audio'], video: seen['video'] });
    });
  });
  return { pair, tone, bars, tracks };
}

async function measured(pair: Pair, tracks: Promise<{ audio: MediaStreamTrack; video: MediaStreamTrack }>) {
  await pair.negotiate();
  const { audio, video } = await tracks;
  const [tone, frames] = [createToneMeter(), createFrameMeter()];
  const ears = listenTo(audio, tone);
  const eyes = watch(video, frames, nodeClock);
  undo.push(ears.stop, eyes.stop);
  return { tone, frames };
}

describe('media between two wrtc peers', () => {
  test(
    'the tone and the marker arrive, and the statistics name the path',
    async () => {
      const { pair, tracks } = measuredPair();
      const { tone, frames } = await measured(pair, tracks);
      await expect.poll(() => tone.reading().windows, { timeout: scaled(8_000) }).toBeGreaterThanOrEqual(10);
      await expect.poll(() => frames.reading().frames, { timeout: scaled(8_000) }).toBeGreaterThanOrEqual(40);

      expect(tone.reading()).toMatchObject({ frequency: 440, ok: true });
      expect(tone.reading().share).toBeGreaterThan(0.9);
      expect(frames.reading()).toMatchObject({ width: 320, height: 240, ok: true });
      expect(frames.reading().fps).toBeGreaterThan(18);

      const callee = readStats(await pair.callee.pc.getStats(), 0, null);
      expect(callee.transport).toMatchObject({ protocol: 'udp' });
      expect(['host', 'prflx']).toContain(callee.transport.candidateType);
      expect(callee.audio.received).toMatchObject({ codec: 'opus' });
      expect(callee.video.received).toMatchObject({ codec: 'VP8' });
      expect(callee.audio.received?.packets).toBeGreaterThan(50);
      expect(callee.mos).toBeGreaterThan(4);
      const caller = readStats(await pair.caller.pc.getStats(), 0, null);
      expect(caller.audio.sent).toMatchObject({ codec: 'opus' });
      expect(caller.video.sent).toMatchObject({ codec: 'VP8' });
      expect(caller.transport.roundTripTime).toBeGreaterThanOrEqual(0);
    },
    scaled(20_000),
  );

  test(
    'a muted tone and a black picture differ from the real ones',
    async () => {
      const { pair, tone, tracks } = measuredPair({ video: createBlackSource });
      const meters = await measured(pair, tracks);
      await expect.poll(() => meters.tone.reading().carried, { timeout: scaled(8_000) }).toBeGreaterThanOrEqual(3);
      tone.track.enabled = false;
      await expect.poll(() => meters.tone.reading().silent, { timeout: scaled(8_000) }).toBeGreaterThanOrEqual(5);
      expect(meters.tone.reading().ok).toBe(false);
      await expect.poll(() => meters.frames.reading().frames, { timeout: scaled(8_000) }).toBeGreaterThanOrEqual(2);
      expect(meters.frames.reading()).toMatchObject({ markers: 0, ok: false });
    },
    scaled(20_000),
  );
});

describe('the path proxy between two wrtc peers', () => {
  test(
    'carries all media, a cut is detected, and the call recovers when the path returns before ICE fails',
    async () => {
      const path = createPathProxy({ clock: nodeClock, random: nodeRandom });
      undo.push(() => path.dispose());
      const { pair, tracks } = measuredPair({ path });
      const { tone, frames } = await measured(pair, tracks);
      await expect.poll(() => tone.reading().carried, { timeout: scaled(8_000) }).toBeGreaterThanOrEqual(3);
      expect(path.stats().passed).toBeGreaterThan(50);

      path.cut();
      const before = frames.reading().frames;
      await expect.poll(() => pair.caller.pc.connectionState, { timeout: scaled(15_000) }).toBe('disconnected');
      // No media used another path. A frame may still have been on the network.
      expect(frames.reading().frames - before).toBeLessThanOrEqual(2);
      expect(frames.reading().ok).toBe(true);
      expect(path.stats().dropped).toBeGreaterThan(50);

      path.restore();
      await expect.poll(() => pair.caller.pc.connectionState, { timeout: scaled(5_000) }).toBe('connected');
      await expect.poll(() => frames.reading().frames - before, { timeout: scaled(5_000) }).toBeGreaterThan(10);
      expect(frames.reading().freezes).toBeGreaterThanOrEqual(1);
      expect(pair.caller.states).not.toContain('failed');
    },
    scaled(40_000),
  );
});

const ASSIGNMENT: Assignment = {
  type: 'assignment',
  role: 'dial',
  server: 'http://127.0.0.1:9',
  appId: 'ringback-demo',
  userId: 'alice',
  video: true,
  media: { tone: 440, width: 320, height: 240, fps: 24 },
};

test('a call without statistics is hung up too', async () => {
  const clock = new VirtualClock();
  const silent = { connectionState: 'connected', getStats: () => new Promise(() => undefined) };
  const ports = { now: () => clock.now(), after: clock.after.bind(clock) };
  const platform = { clock: ports, peerConnection: silent } as unknown as HeadlessPlatform;
  const followed = new FollowedCall(ASSIGNMENT, platform, () => undefined);
  const end = vi.fn();
  followed.follow({ end } as unknown as DirectCall);
  const hungUp = followed.hangUp();
  await clock.advance(999);
  expect(end).not.toHaveBeenCalled();
  await clock.advance(1);
  await hungUp;
  expect(end).toHaveBeenCalledTimes(1);
});
